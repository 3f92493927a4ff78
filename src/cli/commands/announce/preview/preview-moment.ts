import type { HistoryFile } from '../../../../announcements/announcement.ts';
import { everyActiveAnnouncement, nextTransition } from '../../../../announcements/schedule.ts';
import { parseStart } from '../../../../announcements/times/moment-options.ts';
import { zoneOf } from '../../../desk/content-access.ts';
import { named, refuseProblems } from '../../../desk/text-problems.ts';
import { type EditorClock, toMomentText } from '../../../display/moments.ts';
import { wrap } from '../../../output/text-width.ts';
import { UsageError } from '../../../program/command-errors.ts';
import type { CommandIo } from '../../../program/command-io.ts';

/** When readers look, and the clock of the editor who asks; instants in epoch milliseconds. */
export interface PreviewMoment {
  readonly instant: number;
  /** Undefined where it is now that is asked about. */
  readonly asked?: EditorClock;
}

/** A moment that is over is refused: what was edited or withdrawn since cannot be told from what stands there today. */
export function readMoment(
  { at, zone: name }: { readonly at?: string; readonly zone?: string },
  io: CommandIo,
): PreviewMoment {
  const now = io.now();
  if (at === undefined) {
    if (name !== undefined) throw new UsageError('--zone goes with --at');
    return { instant: now };
  }
  const zone = zoneOf({ zone: name }, io);
  const moment = parseStart(at, { zone, now });
  refuseProblems([named('--at', moment)]);
  const instant = 'instant' in moment ? moment.instant : now;
  if (instant < Math.floor(now / 1000) * 1000)
    throw new UsageError(`--at: ${at} is over; typebadge announce log says what was changed when`);
  return { instant, asked: { zone, now } };
}

/** Above the badge, so that nobody takes it for what is shown now. */
export function momentLines(moment: PreviewMoment, columns: number): string[] {
  if (moment.asked === undefined) return [];
  const when = toMomentText(moment.instant, moment.asked);
  return [...wrap(`What readers see at ${when}, unless something is changed:`, columns), ''];
}

/** A start shortly after the moment is easily missed: `tomorrow` is the first second of that day. */
export function nextLines(
  history: HistoryFile,
  { instant, asked }: PreviewMoment,
  columns: number,
): string[] {
  if (asked === undefined) return [];
  const next = nextChange(history, instant);
  if (next === undefined) return ['', 'Nothing changes by itself after that.'];
  return ['', ...wrap(`The next change is at ${toMomentText(next, asked)}.`, columns)];
}

/** When something else is active than at `instant`; the end of what was superseded before changes nothing. */
function nextChange(history: HistoryFile, instant: number): number | undefined {
  const idsAt = (at: number) => everyActiveAnnouncement(history, at).map(({ id }) => id);
  const before = idsAt(instant).join(' ');
  let next = nextTransition(history, instant);
  while (next !== undefined && idsAt(next).join(' ') === before) next = nextTransition(history, next);
  return next;
}
