import type { HistoryFile, PublicAnnouncement } from './announcement.ts';
import { everyActiveAnnouncement, mostActive } from './schedule.ts';
import { labelTranslations } from './severity-labels.ts';
import { matchesPatterns } from './values/audience.ts';
import { translationFor } from './values/translations.ts';

/** The page that a reader is on. */
export interface Reader {
  /** Its origin, as browsers write it; undefined: an origin that no audience lists. */
  readonly site?: string | undefined;
  /** Its path, percent-encoded; undefined: a path that no audience lists. */
  readonly path?: string | undefined;
  /** BCP 47; undefined: announcements are shown untranslated. */
  readonly language?: string | undefined;
}

/**
 * `shown` first; `next` once those before it were dismissed; `behind` one that cannot be dismissed; left out because of the `site`, the
 * `path`, or the `limit` of announcements that readers get.
 */
export type Place = 'shown' | 'next' | 'behind' | 'site' | 'path' | 'limit';

export interface ReaderEntry {
  readonly announcement: PublicAnnouncement;
  readonly place: Place;
  /** With `next` and `behind`: id of the announcement shown before it. */
  readonly after?: string;
  /** In the reader's language, else as written. */
  readonly words: { readonly message: string; readonly link: string; readonly linkLabel?: string };
  readonly isTranslated: boolean;
  /** What its severity is called in the language of its translation. */
  readonly severityLabel?: string;
}

/** Everything active at `now` (epoch milliseconds), most important first, with its place for a reader who has dismissed nothing. */
export function viewOf(history: HistoryFile, reader: Reader, now: number): readonly ReaderEntry[] {
  const entries: ReaderEntry[] = [];
  let before: PublicAnnouncement | undefined;
  for (const [rank, announcement] of everyActiveAnnouncement(history, now).entries()) {
    const leftOut = rank >= mostActive ? 'limit' : missedBy(announcement, reader);
    entries.push({
      announcement,
      ...(leftOut === undefined ? placeAfter(before) : { place: leftOut }),
      ...wordsFor(announcement, reader),
    });
    // An announcement that cannot be dismissed stays in front of everything that follows.
    if (leftOut === undefined && before?.dismissible !== false) before = announcement;
  }
  return entries;
}

function missedBy({ audience }: PublicAnnouncement, { site, path }: Reader): 'site' | 'path' | undefined {
  const { sites = [], paths = [] } = audience ?? {};
  if (!matchesPatterns(sites, site ?? '')) return 'site';
  return matchesPatterns(paths, path ?? '') ? undefined : 'path';
}

function placeAfter(before: PublicAnnouncement | undefined): Pick<ReaderEntry, 'place' | 'after'> {
  if (before === undefined) return { place: 'shown' };
  return { place: before.dismissible === false ? 'behind' : 'next', after: before.id };
}

function wordsFor(announcement: PublicAnnouncement, { language }: Reader) {
  const { message, link, linkLabel } = announcement;
  const words = { message, link, ...(linkLabel === undefined ? {} : { linkLabel }) };
  const found =
    language === undefined ? undefined : translationFor(labelTranslations(announcement), language);
  if (found === undefined) return { words, isTranslated: false };
  const { severityLabel, ...translation } = found;
  const label = severityLabel === undefined ? {} : { severityLabel };
  return { words: { ...words, ...translation }, isTranslated: true, ...label };
}
