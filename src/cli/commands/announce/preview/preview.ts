import { currentAnnouncement } from '../../../../announcements/schedule.ts';
import { parseLink } from '../../../../announcements/values/link.ts';
import { parseMessage } from '../../../../announcements/values/message.ts';
import { readMessage } from '../../../desk/message-input.ts';
import { type DeskOptions, openDesk } from '../../../desk/open-desk.ts';
import { refuseProblems } from '../../../desk/text-problems.ts';
import { findAnnouncement } from '../../../display/announcement-json.ts';
import {
  type DrawnAnnouncement,
  describeLink,
  drawBadge,
  drawBrandAlone,
} from '../../../display/badge-drawing.ts';
import { warnOfPlace } from '../../../display/desk-place.ts';
import { UsageError } from '../../../program/command-errors.ts';
import type { CommandIo } from '../../../program/command-io.ts';
import type { Report } from '../../../program/report.ts';

export interface PreviewOptions extends DeskOptions {
  /** A page to be asked about, instead of an announcement. */
  readonly site?: string;
  readonly path?: string;
  readonly lang?: string;
  /** A moment to come that is asked about, and the time zone it is meant in. */
  readonly at?: string;
  readonly zone?: string;
  /** Draws words that are not published. */
  readonly message?: string;
  readonly link?: string;
  readonly open?: boolean;
}

/** The badge as visitors see it: of the current announcement, of the one with that id, or of words not yet published. */
export async function previewAnnouncement(
  id: string | undefined,
  options: PreviewOptions,
  io: CommandIo,
): Promise<Report> {
  const { site, path, lang, at, zone } = options;
  if ([site, path, lang, at, zone].some((text) => text !== undefined)) {
    const { readReader, toReaderReport } = await import('./preview-reader.ts');
    const { readMoment } = await import('./preview-moment.ts');
    const reader = readReader(options);
    const moment = readMoment(options, io);
    if (id !== undefined || options.message !== undefined || options.open)
      throw new UsageError(
        '--site, --path, --lang and --at ask what readers see; leave out the id, --message and --open',
      );
    const desk = await openDesk(options, io);
    const [{ history }, origins] = [await desk.read(), await desk.origins()];
    const report = toReaderReport({ place: desk.place, history, origins }, reader, moment);
    return { ...report, warnings: warnOfPlace(desk.place) };
  }
  const { shown, warnings } = await choose(id, options, io);
  const report: Report = {
    value: { announcement: shown ?? null },
    warnings,
    toText: (paint, columns) =>
      shown === undefined
        ? [...drawBrandAlone(paint), '', 'No announcement is shown now: the badge shows only its logo.'].join(
            '\n',
          )
        : [...drawBadge(shown, paint, columns), '', ...describeLink(shown, columns)].join('\n'),
  };
  if (!options.open) return report;
  const { openPreviewPage } = await import('./preview-page.ts');
  return { ...report, followUp: () => openPreviewPage(shown, io) };
}

interface Chosen {
  /** Undefined where no announcement is current. */
  readonly shown: DrawnAnnouncement | undefined;
  readonly warnings: readonly string[];
}

async function choose(
  id: string | undefined,
  { message: words, link = '', ...options }: PreviewOptions,
  io: CommandIo,
): Promise<Chosen> {
  if (words !== undefined) {
    if (id !== undefined) throw new UsageError('give an id or --message, not both');
    const message = (await readMessage([words], io)) ?? '';
    refuseProblems([parseMessage(message), parseLink(link)]);
    return { shown: { message: message.trim(), link: link.trim() }, warnings: [] };
  }
  if (link !== '') throw new UsageError('--link goes with --message');
  const { place, read } = await openDesk(options, io);
  const { history } = await read();
  const now = io.now();
  const isNone = id === undefined && currentAnnouncement(history, now) === undefined;
  return { shown: isNone ? undefined : findAnnouncement(history, id, now), warnings: warnOfPlace(place) };
}
