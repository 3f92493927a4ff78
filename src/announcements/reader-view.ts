import type { HistoryFile, PublicAnnouncement } from './announcement.ts';
import { type FieldProblem, newFieldProblem } from './plain-values.ts';
import { type Presentation, presentation } from './presentation.ts';
import { everyActiveAnnouncement, maxActive, nextTransition } from './schedule.ts';
import { matchesPatterns } from './values/audience.ts';
import { languageFor, parseLanguageTag } from './values/translations.ts';

/** The page that a reader is on. */
export interface Reader {
  /** Its origin, as browsers write it; undefined: an origin that no audience lists. */
  readonly site?: string | undefined;
  /** Its path, percent-encoded; undefined: a path that no audience lists. */
  readonly path?: string | undefined;
  /** BCP 47; undefined: announcements are shown untranslated. */
  readonly language?: string | undefined;
}

/** The page of a reader as an editor writes it; see `Reader` for what is undefined. */
export interface ReaderTexts {
  readonly site?: string | undefined;
  readonly path?: string | undefined;
  readonly lang?: string | undefined;
}

export function parseReader({
  site,
  path,
  lang,
}: ReaderTexts): { readonly reader: Reader } | { readonly problem: FieldProblem } {
  const isAddress = site === undefined || (/^https?:\/\/[^*]+$/i.test(site) && URL.canParse(site));
  if (!isAddress) {
    const problem = `${JSON.stringify(site.slice(0, 80))} is not the address of a site; write one like https://www.example.org`;
    return { problem: newFieldProblem('site', { problem }) };
  }
  if (path !== undefined && (!path.startsWith('/') || /[?#*]/.test(path))) {
    const problem = `${JSON.stringify(path.slice(0, 80))} is not the path of a page; write one like /docs/start, from the first / and without ?, # or *`;
    return { problem: newFieldProblem('path', { problem }) };
  }
  const language = lang === undefined ? undefined : parseLanguageTag(lang);
  if (language !== undefined && 'problem' in language) return { problem: newFieldProblem('lang', language) };
  const address = site === undefined ? undefined : new URL(site);
  const page = path ?? (address?.pathname === '/' ? undefined : address?.pathname);
  return {
    reader: {
      site: address?.origin,
      path: page === undefined ? undefined : new URL(`https://site.example${page}`).pathname,
      language: language?.value,
    },
  };
}

/**
 * `shown` first; `next` once those before it were dismissed; `behind` one that cannot be dismissed; left out
 * because of the `site`, the `path`, or the `limit` of announcements that readers get.
 */
export type Place = 'shown' | 'next' | 'behind' | 'site' | 'path' | 'limit';

export interface ReaderEntry {
  readonly announcement: PublicAnnouncement;
  readonly place: Place;
  /** With `next` and `behind`: id of the announcement shown before it. */
  readonly after?: string;
  /** In the reader's language, else as written. */
  readonly presentation: Presentation;
  readonly isTranslated: boolean;
}

/** Everything active at `now` (epoch ms), most important first, for a reader who has dismissed nothing. */
export function readerEntries(history: HistoryFile, reader: Reader, now: number): readonly ReaderEntry[] {
  const entries: ReaderEntry[] = [];
  let before: PublicAnnouncement | undefined;
  for (const [rank, announcement] of everyActiveAnnouncement(history, now).entries()) {
    const leftOut = rank >= maxActive ? 'limit' : mismatch(announcement, reader);
    const tag = reader.language && languageFor(announcement.translations, reader.language);
    entries.push({
      announcement,
      ...(leftOut === undefined ? placeAfter(before) : { place: leftOut }),
      presentation: presentation(announcement, tag),
      isTranslated: tag !== undefined,
    });
    // An announcement that cannot be dismissed stays in front of everything that follows.
    if (leftOut === undefined && before?.dismissible !== false) before = announcement;
  }
  return entries;
}

function mismatch({ audience }: PublicAnnouncement, { site, path }: Reader): 'site' | 'path' | undefined {
  const { sites = [], paths = [] } = audience ?? {};
  if (!matchesPatterns(sites, site ?? '')) return 'site';
  return matchesPatterns(paths, path ?? '') ? undefined : 'path';
}

function placeAfter(before: PublicAnnouncement | undefined): Pick<ReaderEntry, 'place' | 'after'> {
  if (before === undefined) return { place: 'shown' };
  return { place: before.dismissible === false ? 'behind' : 'next', after: before.id };
}

/** Why an announcement is shown to a reader or not: one sentence without its end. */
export function explainPlace(
  { announcement, place, after, isTranslated }: ReaderEntry,
  { language }: Reader,
): string {
  const { sites = [], paths = [] } = announcement.audience ?? {};
  const words = describeWords(announcement, isTranslated, language);
  switch (place) {
    case 'shown':
      return `shown ${words}${announcement.dismissible === false ? '; readers cannot dismiss it' : ''}`;
    case 'next':
      return `shown once ${after} is closed, ${words}`;
    case 'behind':
      return `not shown: readers cannot dismiss ${after}, which comes first`;
    case 'site':
      return `left out: only on ${sites.join(', ')}`;
    case 'path':
      return `left out: only on ${paths.join(', ')}`;
    case 'limit':
      return `left out: readers get the ${maxActive} most important ones only`;
  }
}

function describeWords(
  { translations = {} }: PublicAnnouncement,
  isTranslated: boolean,
  language: string | undefined,
): string {
  if (language === undefined) return 'as it was written';
  if (isTranslated) return `in its translation for ${language}`;
  const languages = Object.keys(translations).join(', ');
  return `as it was written: no translation for ${language}${languages === '' ? '' : ` (only ${languages})`}`;
}

/** When something else is active than at `instant`; the end of what was superseded before changes nothing. */
export function nextActiveChange(history: HistoryFile, instant: number): number | undefined {
  const idsAt = (at: number) =>
    everyActiveAnnouncement(history, at)
      .map(({ id }) => id)
      .join(' ');
  const before = idsAt(instant);
  let next = nextTransition(history, instant);
  while (next !== undefined && idsAt(next) === before) next = nextTransition(history, next);
  return next;
}
