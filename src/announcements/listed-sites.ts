import {
  isAllowedBy,
  isLoopbackOrigin,
  type OriginPattern,
  parseOrigin,
  parseOriginPattern,
} from '../kit/origin-pattern.ts';

/** Whether a site may use the badge, by a server's rules; pages of this computer count as listed. */
export function isListed(site: string, origins: readonly string[]): boolean {
  const origin = parseOrigin(site);
  if (origin === undefined) return false;
  return isLoopbackOrigin(origin) || patternsOf(origins).some((pattern) => isAllowedBy(pattern, origin));
}

/** The sites of an audience that no entry of the list allows: nobody there sees the announcement. */
export function unlistedSites(sites: readonly string[], origins: readonly string[]): readonly string[] {
  const entries = patternsOf(origins);
  return patternsOf(sites)
    .filter((site) =>
      site.subdomains ? !entries.some((entry) => isAnyIn(site, entry)) : !isListed(site.entry, origins),
    )
    .map(({ entry }) => entry);
}

function patternsOf(entries: readonly string[]): OriginPattern[] {
  return entries.map(parseOriginPattern).filter((pattern) => 'entry' in pattern);
}

/** Whether an entry allows any of the subdomains: all of them, those of a domain below, or one. */
function isAnyIn(site: OriginPattern, entry: OriginPattern): boolean {
  if (site.scheme !== entry.scheme || site.port !== entry.port) return false;
  const isBelow = entry.hostname.endsWith(`.${site.hostname}`);
  if (!entry.subdomains) return isBelow;
  return isBelow || entry.hostname === site.hostname || site.hostname.endsWith(`.${entry.hostname}`);
}
