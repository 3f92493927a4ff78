import { newFieldProblem } from '../../../announcements/plain-values.ts';
import { parseReader, type ReaderTexts } from '../../../announcements/reader-view.ts';
import { instantText } from '../../../announcements/times/instant.ts';
import { parseStart } from '../../../announcements/times/moment.ts';
import type { Preview } from '../../../contract/desk-types.ts';
import { safeText, wrapped } from '../../../kit/terminal-text.ts';
import { optionSentence } from '../../desk/change-options.ts';
import { findAnnouncement } from '../../desk/desk.ts';
import { commandAt, type DeskOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { type EditorClock, formatMoment, zoneOf } from '../../display/announcement-text.ts';
import { describeLink, drawBadge } from '../../display/badge-drawing.ts';
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
  const shown = isNone ? null : await findAnnouncement(desk, id);
  return {
    value: { announcement: shown },
    text: (paint, columns) =>
      shown === null
        ? 'No announcement is shown now.'
        : [...drawBadge(shown, paint, columns), '', describeLink(shown)].join('\n'),
  };
}

/** What a reader sees on a page who has dismissed nothing, and why not the rest of what is active. */
async function previewPage(id: string | undefined, options: PreviewOptions, io: CommandIo): Promise<Report> {
  const read = parseReader(options);
  if ('problem' in read) throw new UsageError(optionSentence(read.problem));
  const moment = readMoment(options, io);
  if (id !== undefined)
    throw new UsageError('--site, --path, --lang and --at ask what readers see; leave out the id');
  const { reader } = read;
  const desk = await openDesk(options, io);
  const preview = await desk.preview({
    ...(reader.site === undefined ? {} : { site: reader.site }),
    ...(reader.path === undefined ? {} : { path: reader.path }),
    ...(reader.language === undefined ? {} : { lang: reader.language }),
    ...(moment === undefined ? {} : { at: instantText(moment.instant) }),
  });
  const { announcement, others, siteListed, next } = preview;
  const active = [...(announcement === null ? [] : [announcement]), ...others]
    .sort((a, b) => a.rank - b.rank)
    .map(({ id: name, place, after, translated, message, reason }) => ({
      ...{ id: name, place, after, translated, message },
      why: reason,
    }));
  return {
    value: {
      at: preview.at,
      reader: { site: reader.site ?? null, path: reader.path ?? null, language: reader.language ?? null },
      siteListed,
      announcement: announcement && wordsOf(announcement),
      active,
    },
    text: (paint, columns) =>
      [
        ...(moment === undefined ? [] : [`What readers see at ${formatMoment(moment.instant, moment)}:`, '']),
        ...(announcement === null ? [] : [...drawBadge(announcement, paint, columns), '']),
        announcement === null ? 'No announcement is shown.' : describeLink(announcement),
        '',
        ...(siteListed === false
          ? [
              `${reader.site} is not on the allow-list. To add it: ${commandAt(desk.place, 'origins', 'add', String(reader.site))}`,
              '',
            ]
          : []),
        ...reasonLines(active, paint, columns),
        ...(moment === undefined || next === null
          ? []
          : ['', `The next change is at ${formatMoment(Date.parse(next), moment)}.`]),
      ].join('\n'),
  };
}

function wordsOf({ id, message, markdown, link, linkLabel }: NonNullable<Preview['announcement']>) {
  const source = markdown === undefined ? {} : { markdown };
  return { id, message, ...source, link, ...(linkLabel === undefined ? {} : { linkLabel }) };
}

interface PreviewMoment extends EditorClock {
  readonly instant: number;
}

/** Undefined: now. A moment that is over is refused: what was changed since cannot be told. */
function readMoment({ at, zone: name }: PreviewOptions, io: CommandIo): PreviewMoment | undefined {
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
