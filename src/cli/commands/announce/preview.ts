import { newFieldProblem } from '../../../announcements/plain-values.ts';
import { parseReader, type ReaderTexts } from '../../../announcements/reader-view.ts';
import { instantText } from '../../../announcements/times/instant.ts';
import { parseStart } from '../../../announcements/times/moment.ts';
import type { Preview } from '../../../contract/desk-types.ts';
import { safeText, wrapped } from '../../../kit/terminal-text.ts';
import { optionSentence } from '../../desk/change-options.ts';
import { findAnnouncement } from '../../desk/desk.ts';
import { commandAt, type DeskOptions, type DeskPlace } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { type EditorClock, formatMoment, zoneOf } from '../../display/announcement-text.ts';
import { describeLink, drawBadge, drawBrandAlone } from '../../display/badge-drawing.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import type { Report } from '../../program/report.ts';

export interface PreviewOptions extends DeskOptions, ReaderTexts {
  /** A moment to come that is asked about, and the time zone it is meant in. */
  readonly at?: string;
  readonly zone?: string;
}

/** The badge as visitors see it: of the current announcement, or of the one with that id. */
export async function previewAnnouncement(
  id: string | undefined,
  options: PreviewOptions,
  io: CommandIo,
): Promise<Report> {
  const { site, path, lang, at, zone } = options;
  if ([site, path, lang, at, zone].some((text) => text !== undefined)) return previewPage(id, options, io);
  const desk = await openDesk(options, io);
  const isNone = id === undefined && (await desk.list({ limit: 1 })).value.current === null;
  const shown = isNone ? null : (await findAnnouncement(desk, id)).announcement;
  return {
    value: { announcement: shown },
    text: (paint, columns) =>
      shown === null
        ? [...drawBrandAlone(paint), '', 'No announcement is shown now: the badge shows only its logo.'].join(
            '\n',
          )
        : [...drawBadge(shown, paint, columns), '', ...describeLink(shown, columns)].join('\n'),
  };
}

/** What a reader sees on a page who has dismissed nothing, and why not the rest of what is active. */
async function previewPage(id: string | undefined, options: PreviewOptions, io: CommandIo): Promise<Report> {
  const read = parseReader(options);
  if ('problem' in read) throw new UsageError(optionSentence(read.problem));
  const asked = readMoment(options, io);
  if (id !== undefined)
    throw new UsageError('--site, --path, --lang and --at ask what readers see; leave out the id');
  const { reader } = read;
  const desk = await openDesk(options, io);
  const preview = await desk.preview({
    ...(reader.site === undefined ? {} : { site: reader.site }),
    ...(reader.path === undefined ? {} : { path: reader.path }),
    ...(reader.language === undefined ? {} : { lang: reader.language }),
    ...(asked === undefined ? {} : { at: instantText(asked.instant) }),
  });
  const { announcement, others } = preview;
  const active = [...(announcement === null ? [] : [announcement]), ...others]
    .sort((a, b) => a.rank - b.rank)
    .map(({ id: name, place, after, translated, message, reason }) => ({
      ...{ id: name, place, after, translated, message },
      why: `${reason}${hintOf(place, options)}`,
    }));
  return {
    value: {
      at: preview.at,
      reader: { site: reader.site ?? null, path: reader.path ?? null, language: reader.language ?? null },
      siteListed: preview.siteListed,
      announcement: announcement && wordsOf(announcement),
      active,
    },
    text: (paint, columns) =>
      [
        ...describeMoment(asked, columns),
        ...(announcement === null
          ? drawBrandAlone(paint)
          : [...drawBadge(announcement, paint, columns), '', ...describeLink(announcement, columns)]),
        ...explainWord(announcement, columns),
        '',
        ...(preview.siteListed === false ? describeUnlisted(String(reader.site), desk.place, columns) : []),
        ...reasonLines(active, paint, columns),
        ...describeNext(preview, asked, columns),
      ].join('\n'),
  };
}

/** The option that would have asked about the site or the page. */
function hintOf(place: Preview['others'][number]['place'], { site, path }: ReaderTexts): string {
  if (place === 'site' && site === undefined) return ' (--site names one)';
  const isPathOpen = path === undefined && (site === undefined || new URL(site).pathname === '/');
  return place === 'path' && isPathOpen ? ' (--path names a page)' : '';
}

function wordsOf({ id, message, markdown, link, linkLabel }: NonNullable<Preview['announcement']>) {
  const source = markdown === undefined ? {} : { markdown };
  return { id, message, ...source, link, ...(linkLabel === undefined ? {} : { linkLabel }) };
}

interface AskedMoment extends EditorClock {
  readonly instant: number;
}

/** Undefined: now. A moment that is over is refused: what was changed since cannot be told. */
function readMoment({ at, zone: name }: PreviewOptions, io: CommandIo): AskedMoment | undefined {
  const now = io.now();
  if (at === undefined && name !== undefined) throw new UsageError('--zone goes with --at');
  if (at === undefined) return undefined;
  const zone = zoneOf({ zone: name }, io);
  const moment = parseStart(at, { zone, now });
  if ('problem' in moment) throw new UsageError(optionSentence(newFieldProblem('at', moment)));
  const { instant } = moment;
  if (instant < Math.floor(now / 1000) * 1000)
    throw new UsageError(`--at: ${at} is over; typebadge announce log says what was changed when`);
  return { instant, zone, now };
}

/** Above the badge, so that nobody takes it for what is shown now. */
function describeMoment(asked: AskedMoment | undefined, columns: number): string[] {
  if (asked === undefined) return [];
  const when = formatMoment(asked.instant, asked);
  return [...wrapped(`What readers see at ${when}, unless something is changed:`, columns), ''];
}

/** A start shortly after the moment is easily missed: `tomorrow` is the first second of that day. */
function describeNext({ next }: Preview, asked: AskedMoment | undefined, columns: number): string[] {
  if (asked === undefined) return [];
  if (next === null) return ['', 'Nothing changes by itself after that.'];
  return ['', ...wrapped(`The next change is at ${formatMoment(Date.parse(next), asked)}.`, columns)];
}

function describeUnlisted(site: string, place: DeskPlace, columns: number): string[] {
  const sentence = `${site} is not on the allow-list, so readers there see only the logo. To change that: ${commandAt(place, 'origins', 'add', site)}`;
  return [...wrapped(sentence, columns), '', 'If it were on the list:'];
}

/** The site that embeds the badge has the last word. */
function explainWord(shown: Preview['announcement'], columns: number): string[] {
  if (shown?.severity === undefined) return [];
  const { severity, severityLabel: label = severity } = shown;
  return [
    '',
    ...wrapped(`The word “${label}” is the default: a site may set another with data-${severity}.`, columns),
  ];
}

function reasonLines(
  active: readonly { readonly id: string; readonly why: string }[],
  paint: Paint,
  columns: number,
): string[] {
  if (active.length === 0) return ['No announcement is active.'];
  return active.flatMap(({ id, why }) => {
    const [first = '', ...rest] = wrapped(safeText(why), Math.max(20, columns - 14));
    const lines = [`${paint.bold(safeText(id).padEnd(10))}  ${first}`];
    return [...lines, ...rest.map((line) => `${' '.repeat(12)}${line}`)];
  });
}
