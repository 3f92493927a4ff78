import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { type Embedding, type HostPage, startEmbedding } from './embedding.ts';
import { type Answer, type Site, type SiteReply, startSite } from './site.ts';

export const announcementPath = '/content/active.json';

/** What a proper server says of any origin. */
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
 * real assets.
 */
function startRogueServer(answer: Answer): Promise<Site> {
  return startSite((request, url) => answer(request, url) ?? assets[url.pathname]);
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

function toTag(server: Site, attributes = ''): string {
  return `<script src="${server.origin}/js/typebadge-inject.min.js" ${attributes} async></script>`;
}

/** A site with pages, a badge server, and beside it a rogue one that says what a test wants. */
export interface Stage {
  readonly embedding: Embedding;
  readonly rogue: Site;
  /** Announces these, each with changes of a proper one, until the test ends. */
  say(...changes: readonly object[]): void;
  /** How to answer requests, before everything else, until the test ends. */
  answer(how: Answer): void;
  /** Puts a page with the badge of the rogue server on the site. */
  put(attributes?: string, page?: HostPage): string;
}

/** Sets up a stage for all tests of a suite. */
export function setUpStage(): Stage {
  let embedding: Embedding;
  let rogue: Site;
  let announcements: readonly object[];
  let answer: Answer;
  const stage: Stage = {
    get embedding() {
      return embedding;
    },
    get rogue() {
      return rogue;
    },
    say(...changes) {
      announcements = changes.map((change) => ({ ...lasting, ...change }));
    },
    answer(how) {
      answer = how;
    },
    put: (attributes, page) => embedding.put({ tag: toTag(rogue, attributes), ...page }),
  };
  beforeAll(async () => {
    embedding = await startEmbedding();
    rogue = await startRogueServer(
      (request, url) =>
        answer(request, url) ?? (url.pathname === announcementPath ? toJson({ announcements }) : undefined),
    );
  });
  beforeEach(() => {
    stage.say({});
    stage.answer(() => undefined);
  });
  afterAll(async () => {
    await embedding.close();
    await rogue.close();
  });
  return stage;
}
