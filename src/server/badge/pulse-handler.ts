import * as v from 'valibot';
import type { OriginList } from '../http/cors.ts';
import { invalid } from '../http/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestHeaders } from '../http/request.ts';
import { parseQuery } from '../http/request-schema.ts';
import type { Handler } from '../http/router.ts';
import { type Pulse, pulseEvents } from '../stores/pulse.ts';

export interface PulseHandlerOptions {
  readonly pulse: Pick<Pulse, 'count'>;
  readonly origins: () => OriginList;
  readonly publicIds: () => ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const counted: Reply = { status: 204, headers: ['Cache-Control', 'no-store'] };

/**
 * `GET /pulse?event=…&id=…`. Visitors who ask not to be tracked (`DNT: 1`, `Sec-GPC: 1`) get the same answer
 * and are not counted; neither are HEAD requests. Nothing about the visitor is stored.
 */
export function createPulseHandler({ pulse, origins, publicIds, now }: PulseHandlerOptions): Handler {
  const nameOf = createSiteNames();
  return ({ method, query, headers }) => {
    const { event, id } = parseQuery(PulseQuerySchema, query);
    if (!publicIds().has(id)) throw invalid('id must be that of a published announcement.');
    const isPrivate = headers.dnt === '1' || headers['sec-gpc'] === '1';
    if (method === 'GET' && !isPrivate) {
      const day = new Date(now()).toISOString().slice(0, 10);
      const site = nameOf(day, embeddingSite(headers, origins()), id);
      pulse.count({ day, event, announcement: id, site });
    }
    return counted;
  };
}

const PulseQuerySchema = v.object({
  event: v.picklist(pulseEvents, `must be one of ${pulseEvents.join(', ')}`),
  id: v.string(),
});

interface EmbeddingSite {
  /** Its host, with the port if that is not the default; or `other`. */
  readonly name: string;
  /** Whether only a wildcard allows it: anyone can make up sites under one. */
  readonly isByWildcard: boolean;
}

/** What sites that are not on the allow-list, and those beyond the limit, are counted as. */
const otherSites: EmbeddingSite = { name: 'other', isByWildcard: false };
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The embedding site, if it is on the allow-list. A plain GET has no Origin, but usually a Referer. */
function embeddingSite({ origin, referer }: RequestHeaders, origins: OriginList): EmbeddingSite {
  const claimed =
    origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined);
  const entry = claimed === undefined ? undefined : origins.match(claimed);
  if (claimed === undefined || entry === undefined) return otherSites;
  const { hostname, host } = new URL(claimed);
  // All ports of this computer count as one site: a page can be on any of the 65,535.
  if (loopbackHosts.has(hostname)) return { name: 'localhost', isByWildcard: false };
  return { name: host, isByWildcard: entry.includes('*') };
}

/** Maximum number of pairs of an announcement and a site that are counted by name on one day: see below. */
const maxPairs = 10_000;

/**
 * Names the sites of one day for counting; beyond the limit they are `other`. Those that only a wildcard
 * allows have a limit of their own, so that made-up sites never use up the names of those on the list.
 */
export function createSiteNames(): (day: string, site: EmbeddingSite, announcement: string) => string {
  let today = '';
  const [listed, made] = [new Set<string>(), new Set<string>()];
  return (day, site, announcement) => {
    if (day !== today) for (const pairs of [listed, made]) pairs.clear();
    today = day;
    const pairs = site.isByWildcard ? made : listed;
    const pair = `${announcement} ${site.name}`;
    if (site === otherSites || (pairs.size >= maxPairs && !pairs.has(pair))) return otherSites.name;
    pairs.add(pair);
    return site.name;
  };
}
