import type { IncomingHttpHeaders } from 'node:http';
import type { OriginList } from '../http/routing/origins.ts';

/** The site that a page belongs to. */
export interface EmbeddingSite {
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

/** Most sites under one wildcard that are counted by name on one day. */
const maxSitesPerWildcard = 1_000;

/** Names sites for counting. Each wildcard has a limit of its own, and exact entries always keep their names. */
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
