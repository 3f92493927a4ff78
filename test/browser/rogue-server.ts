import { readFileSync } from 'node:fs';
import { lasting } from '../support/test-server.ts';
import { type Answer, type Site, type SiteReply, startSite } from './site.ts';

export const announcementPath = '/content/active.json';

const open = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

const assets: Readonly<Record<string, SiteReply>> = {
  '/js/typebadge-inject.min.js': toAsset('application/javascript', 'dist/badge/inject.min.js'),
  '/css/typebadge-inject.min.css': toAsset('text/css', 'dist/badge/inject.min.css'),
  '/images/typebadge-logo.svg': toAsset('image/svg+xml', 'content/badge/logo.svg'),
  '/pulse': { status: 204, headers: open },
};

function toAsset(type: string, path: string): SiteReply {
  return {
    headers: { 'Content-Type': type, 'Cache-Control': 'max-age=3600', ...open },
    body: readFileSync(path),
  };
}

/**
 * A badge server that keeps no promise: it has the real assets, and answers what a test wants. It is what a
 * broken proxy, a taken-over host or a slow night look like to the badge. `undefined` leaves the answer to the
 * real assets and a proper announcement.
 */
export function startRogueServer(answer: Answer): Promise<Site> {
  return startSite((request, url) => answer(request, url) ?? assets[url.pathname] ?? unasked(url));
}

function unasked({ pathname }: URL): SiteReply | undefined {
  return pathname === announcementPath ? announce() : undefined;
}

/** An announcement as this server may put it, never cached. Without changes it is a proper one. */
export function announce(changes: Readonly<Record<string, unknown>> = {}): SiteReply {
  return toJson({ announcements: [{ ...lasting, ...changes }] });
}

export function toJson(value: unknown, status = 200): SiteReply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...open },
    body: JSON.stringify(value),
  };
}

export function toTag(server: Site, attributes = ''): string {
  return `<script src="${server.origin}/js/typebadge-inject.min.js" ${attributes} defer></script>`;
}
