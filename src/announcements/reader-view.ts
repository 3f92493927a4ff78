import type { HistoryFile, PublicAnnouncement } from './announcement.ts';
import { drawnNames, setFields } from './fields.ts';
import { newFieldProblem, type Read } from './plain-values.ts';
import { presentation } from './presentation.ts';
import { everyActiveAnnouncement, maxActive, nextTransition } from './schedule.ts';
import { matchesAny } from './values/patterns.ts';
import { nearestLanguage, parseLanguageTag } from './values/translations.ts';

export interface Reader {
  /** Its origin, as browsers write it; undefined: an origin that no audience lists. */
  readonly site?: string | undefined;
  /** Its path, percent-encoded; undefined: a path that no audience lists. */
  readonly path?: string | undefined;
  /** BCP 47; undefined: announcements are shown untranslated. */
  readonly language?: string | undefined;
}

/** The page of a reader as an editor writes it; see `Reader` for what is undefined. */
export type ReaderTexts = { readonly [N in 'site' | 'path' | 'lang']?: string | undefined };

export function parseReader({ site, path, lang }: ReaderTexts): Read<Reader> {
  if (site !== undefined && !(/^https?:\/\/[^*]+$/i.test(site) && URL.canParse(site)))
    return refusal('site', site, 'the address of a site; write one like https://www.example.org');
  if (path !== undefined && (!path.startsWith('/') || /[?#*]/.test(path))) {
    const right = 'write one like /docs/start, from the first / and without ?, # or *';
    return refusal('path', path, `the path of a page; ${right}`);
  }
  const language = lang === undefined ? undefined : parseLanguageTag(lang);
  if (language !== undefined && 'problem' in language)
    return { problems: [newFieldProblem('lang', language)] };
  const address = site === undefined ? undefined : new URL(site);
  const page = path ?? (address?.pathname === '/' ? undefined : address?.pathname);
  return {
    value: {
      site: address?.origin,
      path: page === undefined ? undefined : new URL(`https://site.example${page}`).pathname,
      language: language?.value,
    },
  };
}

function refusal(field: string, text: string, what: string): Read<Reader> {
  return {
    problems: [newFieldProblem(field, { problem: `${JSON.stringify(text.slice(0, 80))} is not ${what}` })],
  };
}

/**
 * `shown` first; `next` once those before it were dismissed; `behind` one that cannot be dismissed; left out
 * because of the `site`, the `path`, or the `limit` of announcements that readers get.
 */
type Place = 'shown' | 'next' | 'behind' | 'site' | 'path' | 'limit';

/**
 * Everything active at `now` (epoch ms), most important first, for a reader who has dismissed nothing; `words`
 * are what is drawn.
 */
export function readerEntries(history: HistoryFile, reader: Reader, now: number) {
  let before: PublicAnnouncement | undefined;
  return everyActiveAnnouncement(history, now).map((announcement, rank) => {
    const { id, translations = {}, dismissible } = announcement;
    const tag = reader.language && nearestLanguage(Object.keys(translations), reader.language);
    const { severityLabel, ...drawn } = presentation(announcement, tag);
    const words = { ...setFields(drawn, ['message', 'link', ...drawnNames]), severityLabel };
    const last = before;
    /** `reason` is a sentence without its end, `after` the id of the announcement shown before it. */
    const explain = (place: Place, reason: string, after: string | null = null) => {
      const { message } = words;
      return { entry: { id, message, rank, place, after, translated: tag !== undefined, reason }, words };
    };
    const { sites = ['*'], paths = ['*'] } = announcement.audience ?? {};
    if (rank >= maxActive)
      return explain('limit', `left out: readers get the ${maxActive} most important ones only`);
    if (!matchesAny(sites, reader.site ?? ''))
      return explain('site', `left out: only on ${sites.join(', ')}`);
    if (!matchesAny(paths, reader.path ?? ''))
      return explain('path', `left out: only on ${paths.join(', ')}`);
    // An announcement that cannot be dismissed stays in front of everything that follows.
    if (last?.dismissible === false)
      return explain('behind', `not shown: readers cannot dismiss ${last.id}, which comes first`, last.id);
    before = announcement;
    const how = describeWords(tag !== undefined, reader.language);
    if (last !== undefined) return explain('next', `shown once ${last.id} is closed, ${how}`, last.id);
    return explain('shown', `shown ${how}${dismissible === false ? '; readers cannot dismiss it' : ''}`);
  });
}

function describeWords(isTranslated: boolean, language: string | undefined): string {
  if (isTranslated) return `in its translation for ${language}`;
  return language === undefined ? 'as it was written' : `as it was written: no translation for ${language}`;
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
