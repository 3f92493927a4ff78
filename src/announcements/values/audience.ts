import { parseOriginPattern } from '../../kit/origin-pattern.ts';
import type { Checked, Parsed } from './field.ts';
import { byteLengthOf, readParts } from './object-parts.ts';

/** Who an announcement is for: pages of these sites with these paths. A missing list means all. */
export interface Audience {
  /** Entries as on the allow-list: `https://example.org`, `https://*.example.org`. */
  readonly sites?: readonly string[];
  /** Paths, percent-encoded as in a page's URL; `*` matches any number of characters, including none. */
  readonly paths?: readonly string[];
}

/** Of each list. */
const maxEntries = 20;
const maxPath = 256;
/** Limit of sites and paths together, as JSON. */
const maxAudienceBytes = 4_096;

const parsers = { sites: parseSite, paths: parsePath } as const;

/** Checks an audience; one without sites and paths means everyone and becomes undefined. */
export function parseAudience(given: unknown): Checked<Audience> {
  const read = readParts(given, 'audience', ['sites', 'paths']);
  if ('problem' in read) return read;
  const audience: Partial<Record<keyof Audience, readonly string[]>> = {};
  for (const name of ['sites', 'paths'] as const) {
    const result = parseList(name, read.parts[name] ?? []);
    if ('problem' in result) return { ...result, at: name };
    if (result.value.length > 0) audience[name] = result.value;
  }
  if (byteLengthOf(audience) > maxAudienceBytes)
    return { problem: `sites and paths have more than ${maxAudienceBytes} bytes together` };
  return { value: Object.keys(audience).length === 0 ? undefined : audience };
}

function parseList(name: keyof Audience, given: unknown): Parsed<readonly string[]> {
  if (!Array.isArray(given)) return { problem: `the ${name} are not a list [ … ]` };
  if (given.length > maxEntries)
    return { problem: `there are ${given.length} ${name}; at most ${maxEntries} are allowed` };
  const list = new Set<string>();
  for (const text of given) {
    if (typeof text !== 'string') return { problem: `one of the ${name} is not a text` };
    const result = parsers[name](text.trim());
    if ('problem' in result) return result;
    list.add(result.entry);
  }
  return { value: [...list] };
}

const everyone = '[[],[]]';

/** Equal for equal audiences, whatever the order of their entries. */
export function audienceKey(audience: Audience | undefined): string {
  // Most announcements are for everyone, and a history has many thousands.
  if (audience === undefined) return everyone;
  const { sites = [], paths = [] } = audience;
  return JSON.stringify([sites.toSorted(), paths.toSorted()]);
}

/** The patch of `--site` and `--path`: each replaces its list, `--no-…` removes it; undefined: neither. */
export function readAudience({ site, path }: Readonly<Record<string, unknown>>): object | undefined {
  return site === undefined && path === undefined ? undefined : { sites: site, paths: path };
}

function parseSite(text: string) {
  if (text.length > 300)
    return { problem: `an entry has ${text.length} characters; at most 300 are allowed` };
  return parseOriginPattern(text);
}

/** Normalises a path as browsers do in a page's URL, so that the badge only has to compare. */
function parsePath(text: string): { entry: string } | { problem: string } {
  if (text.length > maxPath)
    return { problem: `a path has ${text.length} characters; at most ${maxPath} are allowed` };
  const shown = JSON.stringify(text);
  if (!text.startsWith('/'))
    return { problem: `${shown} is not a path; write it like /docs/*, from the first /` };
  const found = /[\p{Cc}\p{Surrogate}?#\\]/u.exec(text);
  if (found !== null)
    return {
      problem: `${shown} contains ${JSON.stringify(found[0])}, which a path cannot contain; end it before that`,
    };
  const entry = new URL(`https://site.example${text}`).pathname.replace(/\*{2,}/g, '*');
  if (entry.length <= maxPath) return { entry };
  return { problem: `${shown} has more than ${maxPath} characters when it is percent-encoded` };
}

/** `/docs/* on https://example.org, https://*.example.org`. */
export function describeAudience({ sites = [], paths = [] }: Audience): string {
  const where = sites.length === 0 ? 'every site' : sites.join(', ');
  return paths.length === 0 ? `pages of ${where}` : `${paths.join(', ')} on ${where}`;
}
