import type { HistoryFile } from '../../../../announcements/announcement.ts';
import { type Reader, type ReaderEntry, viewOf } from '../../../../announcements/reader-view.ts';
import { mostActive } from '../../../../announcements/schedule.ts';
import { toInstantText } from '../../../../announcements/times/instant.ts';
import { parseLanguageTag } from '../../../../announcements/values/language-tag.ts';
import { isListed } from '../../../desk/listed-sites.ts';
import {
  type DrawnAnnouncement,
  describeLink,
  drawBadge,
  drawBrandAlone,
  severityWord,
} from '../../../display/badge-drawing.ts';
import { type DeskPlace, toCommand } from '../../../display/desk-place.ts';
import type { Paint } from '../../../output/paint.ts';
import { toTerminalText, wrap } from '../../../output/text-width.ts';
import { UsageError } from '../../../program/command-errors.ts';
import type { Report } from '../../../program/report.ts';
import { momentLines, nextLines, type PreviewMoment } from './preview-moment.ts';

/** The page that is asked about, as it was typed. */
export interface ReaderOptions {
  readonly site?: string;
  readonly path?: string;
  readonly lang?: string;
}

/** What is not given stays open. */
export function readReader({ site, path, lang }: ReaderOptions): Reader {
  const address = site === undefined ? undefined : readAddress(site);
  const hasPath = address !== undefined && address.pathname !== '/';
  return {
    site: address?.origin,
    path: path === undefined ? (hasPath ? address.pathname : undefined) : readPath(path),
    language: lang === undefined ? undefined : readLanguage(lang),
  };
}

function readAddress(site: string): URL {
  if (/^https?:\/\/[^*]+$/i.test(site) && URL.canParse(site)) return new URL(site);
  throw new UsageError(
    `--site: ${JSON.stringify(site.slice(0, 80))} is not the address of a site; write one like https://www.example.org`,
  );
}

function readPath(path: string): string {
  if (path.startsWith('/') && !/[?#*]/.test(path)) return new URL(`https://site.example${path}`).pathname;
  throw new UsageError(
    `--path: ${JSON.stringify(path.slice(0, 80))} is not the path of a page; write one like /docs/start, from the first / and without ?, # or *`,
  );
}

function readLanguage(lang: string): string {
  const checked = parseLanguageTag(lang);
  if ('tag' in checked) return checked.tag;
  throw new UsageError(`--lang: ${checked.problem}`);
}

/** The announcements and the list that a reader's page is judged by. */
export interface ReaderDesk {
  readonly place: DeskPlace;
  readonly history: HistoryFile;
  readonly origins: readonly string[];
}

/** What a reader sees on that page who has dismissed nothing, and why not the rest of what is active. */
export function toReaderReport(
  { place, history, origins }: ReaderDesk,
  reader: Reader,
  moment: PreviewMoment,
): Report {
  const entries = viewOf(history, reader, moment.instant);
  const isRefused = reader.site !== undefined && !isListed(reader.site, origins);
  const shown = isRefused ? undefined : entries.find(({ place }) => place === 'shown');
  return {
    value: {
      at: toInstantText(moment.instant),
      reader: { site: reader.site ?? null, path: reader.path ?? null, language: reader.language ?? null },
      siteListed: reader.site === undefined ? null : !isRefused,
      announcement: shown === undefined ? null : { id: shown.announcement.id, ...shown.words },
      active: entries.map((entry) => ({
        id: entry.announcement.id,
        place: entry.place,
        after: entry.after ?? null,
        translated: entry.isTranslated,
        message: entry.words.message,
        why: explain(entry, reader),
      })),
    },
    toText: (paint, columns) => {
      const drawing = shown === undefined ? drawBrandAlone(paint) : drawBadge(toDrawn(shown), paint, columns);
      const word = shown === undefined ? [] : explainWord(shown, columns);
      const link = shown === undefined ? [] : ['', ...describeLink(shown.words, columns)];
      const refusal = isRefused ? toRefusal(String(reader.site), place, columns) : [];
      return [
        ...momentLines(moment, columns),
        ...drawing,
        ...link,
        ...word,
        '',
        ...refusal,
        ...toReasons(entries, reader, paint, columns),
        ...nextLines(history, moment, columns),
      ].join('\n');
    },
  };
}

function toRefusal(site: string, place: DeskPlace, columns: number): string[] {
  const sentence = `${site} is not on the allow-list, so readers there see only the logo. To change that: ${toCommand(place, 'origins', 'add', site)}`;
  return [...wrap(sentence, columns), '', 'If it were on the list:'];
}

function toDrawn({ announcement, words, severityLabel }: ReaderEntry): DrawnAnnouncement {
  const { severity, dismissible } = announcement;
  return { ...words, severity, severityLabel, dismissible };
}

/** The site that embeds the badge has the last word. */
function explainWord({ announcement: { severity }, severityLabel }: ReaderEntry, columns: number): string[] {
  const word = severityWord(severity);
  if (word === undefined) return [];
  const shown = severityLabel ?? word;
  return [
    '',
    ...wrap(`The word “${shown}” is the default: a site may set another with data-${word}.`, columns),
  ];
}

function toReasons(entries: readonly ReaderEntry[], reader: Reader, paint: Paint, columns: number): string[] {
  if (entries.length === 0) return ['No announcement is active.'];
  return entries.flatMap((entry) => {
    const [first = '', ...rest] = wrap(toTerminalText(explain(entry, reader)), Math.max(20, columns - 14));
    const lines = [`${paint.bold(toTerminalText(entry.announcement.id).padEnd(10))}  ${first}`];
    return [...lines, ...rest.map((line) => `${' '.repeat(12)}${line}`)];
  });
}

/** One sentence without its end. */
function explain(entry: ReaderEntry, reader: Reader): string {
  const { announcement, place, after } = entry;
  const { sites = [], paths = [] } = announcement.audience ?? {};
  switch (place) {
    case 'shown':
      return `shown ${inWords(entry, reader)}${announcement.dismissible === false ? '; readers cannot close it' : ''}`;
    case 'next':
      return `shown once ${after} is closed, ${inWords(entry, reader)}`;
    case 'behind':
      return `not shown: readers cannot close ${after}, which comes first`;
    case 'site':
      return `left out: only on ${sites.join(', ')}${reader.site === undefined ? ' (--site names one)' : ''}`;
    case 'path':
      return `left out: only on ${paths.join(', ')}${reader.path === undefined ? ' (--path names a page)' : ''}`;
    case 'limit':
      return `left out: readers get the ${mostActive} most important ones only`;
  }
}

function inWords({ announcement, isTranslated }: ReaderEntry, { language }: Reader): string {
  if (language === undefined) return 'as it was written';
  if (isTranslated) return `in its translation for ${language}`;
  const languages = Object.keys(announcement.translations ?? {}).join(', ');
  return `as it was written: no translation for ${language}${languages === '' ? '' : ` (only ${languages})`}`;
}
