import type { OriginList } from '../http/cors.ts';
import { HttpError } from '../http/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestHeaders } from '../http/request.ts';
import type { Handler } from '../http/router.ts';
import { type Pulse, type PulseEvent, pulseEvents } from '../stores/pulse.ts';

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
    const { event, id } = parseQuery(query);
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

function parseQuery(query: string): { event: PulseEvent; id: string } {
  const parameters = new URLSearchParams(query);
  const [event, ...furtherEvents] = parameters.getAll('event');
  const [id = '', ...furtherIds] = parameters.getAll('id');
  if (furtherEvents.length + furtherIds.length > 0) throw invalid('Send event and id once each.');
  if (!isPulseEvent(event)) throw invalid(`event must be one of ${pulseEvents.join(', ')}.`);
  return { event, id };
}

function isPulseEvent(text: string | undefined): text is PulseEvent {
  return pulseEvents.some((event) => event === text);
}

const invalid = (message: string) => new HttpError(400, 'INVALID_REQUEST', message);

/** The site that a page belongs to. */
interface EmbeddingSite {
  /** Its host, with the port if that is not the default; or `other`. */
  readonly name: string;
  /** The wildcard entry that allows it, if no exact one does: anyone can make up sites under a wildcard. */
  readonly wildcard: string | undefined;
}

const unknownSite: EmbeddingSite = { name: 'other', wildcard: undefined };
/** All ports of this computer count as one site: a page can be on any of the 65,535. */
const loopbackSite: EmbeddingSite = { name: 'localhost', wildcard: undefined };
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The embedding site, if it is on the allow-list. A plain GET has no Origin, but usually a Referer. */
function embeddingSite({ origin, referer }: RequestHeaders, origins: OriginList): EmbeddingSite {
  const claimed =
    origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined);
  const entry = claimed === undefined ? undefined : origins.match(claimed);
  if (claimed === undefined || entry === undefined) return unknownSite;
  const { hostname, host } = new URL(claimed);
  if (loopbackHosts.has(hostname)) return loopbackSite;
  return { name: host, wildcard: entry.includes('*') ? entry : undefined };
}

/**
 * Maximum number of pairs of an announcement and a site that are counted by name on one day: under one
 * wildcard, and for all exact entries together. Each is three counters. Bounding the sites alone would not be
 * enough, because every announcement of the history is counted.
 */
const maxPairsPerWildcard = 3_000;
const maxPairsOfExact = 10_000;

/**
 * Names the sites of one day for counting; beyond a limit they are `other`. Each wildcard has a separate
 * limit, so that made-up sites never use up the names of those on the list.
 */
export function createSiteNames(): (day: string, site: EmbeddingSite, announcement: string) => string {
  let today = '';
  const pairsOf = new Map<string, Set<string>>();
  return (day, { name, wildcard }, announcement) => {
    if (name === unknownSite.name) return name;
    if (day !== today) pairsOf.clear();
    today = day;
    const pairs = pairsOf.get(wildcard ?? '') ?? new Set();
    pairsOf.set(wildcard ?? '', pairs);
    const pair = `${announcement} ${name}`;
    const max = wildcard === undefined ? maxPairsOfExact : maxPairsPerWildcard;
    if (pairs.size >= max && !pairs.has(pair)) return unknownSite.name;
    pairs.add(pair);
    return name;
  };
}
