import type { IncomingHttpHeaders } from 'node:http';
import type { OriginList } from '../http/routing/origins.ts';

/** The site that a page belongs to. */
export interface EmbeddingSite {
  /** Its host, with a port where that is not the usual one; or `other`. */
  readonly name: string;
  /** The wildcard entry that allows it, where no exact one does: anyone can make up sites under it. */
  readonly wildcard: string | undefined;
}

const unknownSite: EmbeddingSite = { name: 'other', wildcard: undefined };
/** Any port of this computer is one site: a page can be at all 65,535 of them. */
const loopbackSite: EmbeddingSite = { name: 'localhost', wildcard: undefined };
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The embedding site, if it is on the allow-list. A plain GET carries no Origin but, as a rule, a Referer. */
export function toEmbeddingSite(
  { origin, referer }: IncomingHttpHeaders,
  origins: OriginList,
): EmbeddingSite {
  const claimed =
    origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined);
  const entry = claimed === undefined ? undefined : origins.match(claimed);
  if (claimed === undefined || entry === undefined) return unknownSite;
  const { hostname, host } = new URL(claimed);
  if (loopbackHosts.has(hostname)) return loopbackSite;
  return { name: host, wildcard: entry.includes('*') ? entry : undefined };
}

/** How many sites under one wildcard are counted by name on one day. */
const maxSitesPerWildcard = 1_000;

/** Names sites for counting: those under one wildcard use up no names but its own, and exact entries always keep theirs. */
export function createSiteNames(): (day: string, site: EmbeddingSite) => string {
  let today = '';
  const namesOf = new Map<string, Set<string>>();
  return (day, { name, wildcard }) => {
    if (wildcard === undefined) return name;
    if (day !== today) namesOf.clear();
    today = day;
    const names = namesOf.get(wildcard) ?? new Set();
    namesOf.set(wildcard, names);
    if (!names.has(name) && names.size >= maxSitesPerWildcard) return unknownSite.name;
    names.add(name);
    return name;
  };
}
