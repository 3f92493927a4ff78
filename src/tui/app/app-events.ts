import type { HistoricalStatistics } from '../../contract/statistics-types.ts';
import type { Rules } from '../../typing/rules/rules.ts';
import type { StampedKey } from '../input/key.ts';
import type { DeliveryStatus, Receipt } from '../link/delivery/delivery-state.ts';
import type { Catalog } from '../link/session/catalog.ts';
import type { OwnText } from '../record/options.ts';
import type { UnsentFindings } from '../record/unsent-findings.ts';
import { toLeftRound } from '../record/unsent-journal.ts';
import type { Practised } from '../round/practised.ts';
import { isComplete, type LocalRound } from '../round/round.ts';
import { type RoundAction, reduceLocalRound } from '../round/round-actions.ts';
import { endByTime, isIdle, isTimeUp, toElapsed } from '../round/time-limit.ts';
import { type App, beginRound, finishRound, takeReceipt, takeRound } from '../state/app-state.ts';
import type { Size } from '../terminal/size.ts';
import { toCountText } from '../text/figures/figures.ts';
import { toCutOffText } from '../text/place-text.ts';
import type { DailyGoal } from '../trend/goal.ts';
import type { Kind, ProgressReport } from '../trend/report.ts';
import { pressKey } from './app-keys.ts';
import { pauseRound, toNextRound, withRound } from './overlays.ts';
import { takeCatalog } from './palette-keys.ts';
import { type Effect, only, type Reaction } from './reaction.ts';

/** Everything that can happen to the app. */
export type AppEvent =
  | { readonly type: 'key'; readonly key: StampedKey }
  | { readonly type: 'resize'; readonly size: Size }
  /** The reader of keys was held up for `duration` ms. */
  | { readonly type: 'stall'; readonly duration: number }
  /** The timer of a round is paused from `time` (monotonic ms) on. */
  | { readonly type: 'pause'; readonly time: number }
  | { readonly type: 'reader'; readonly isOffThread: boolean }
  /** The server is there: so many earlier rounds were delivered to it, and `left` can go on. */
  | ({ readonly type: 'start' } & UnsentFindings)
  | {
      readonly type: 'words';
      readonly words: readonly string[];
      readonly rules: Rules;
      readonly practised?: Practised;
    }
  /** The clock of a round has moved on. */
  | { readonly type: 'tick'; readonly time: number }
  | { readonly type: 'left-round-taken' }
  /** There are no words yet, and why. */
  | { readonly type: 'waiting'; readonly reason: string }
  | { readonly type: 'delivery'; readonly status: DeliveryStatus }
  | { readonly type: 'receipt'; readonly round: LocalRound; readonly receipt: Receipt }
  | { readonly type: 'history'; readonly history: HistoricalStatistics }
  /** The round cannot be kept on disk. */
  | { readonly type: 'journal-problem'; readonly reason: string }
  | { readonly type: 'notice'; readonly notice: string }
  | { readonly type: 'report'; readonly report: ProgressReport; readonly kinds: readonly Kind[] }
  | { readonly type: 'goal'; readonly goal: DailyGoal | undefined }
  | { readonly type: 'last-round'; readonly moments: readonly number[] }
  /** What the server offers; undefined where nobody could say. */
  | { readonly type: 'catalog'; readonly catalog: Catalog | undefined }
  /** A text that was asked for on the screen is there. */
  | { readonly type: 'own-text'; readonly ownText: OwnText }
  /** The part in `before` was typed, and `ownText` is the one after it. */
  | { readonly type: 'next-text'; readonly before: OwnText; readonly ownText: OwnText };

/** What an event does: the next state, the very same where nothing changes, and what is to be done outside. Pure. */
export function reduceApp(app: App, event: AppEvent): Reaction {
  if (event.type === 'key') return pressKey(app, event.key);
  if (event.type === 'start') return start(app, event);
  if (event.type === 'tick') return tick(app, event.time);
  if (event.type === 'own-text') {
    return only({ ...toNextRound(app), ownText: event.ownText, missed: '', notice: '' }, 'new-round');
  }
  return only(reduceState(app, event));
}

type StateEvent = Exclude<AppEvent, { readonly type: 'key' | 'start' | 'tick' | 'own-text' }>;

function reduceState(app: App, event: StateEvent): App {
  switch (event.type) {
    case 'resize':
      return { ...app, size: event.size };
    case 'stall':
    case 'pause':
      return changeRound(app, event);
    case 'reader':
      return app.isOffThread === event.isOffThread ? app : { ...app, isOffThread: event.isOffThread };
    case 'words':
      return beginRound(app, event.words, event.rules, event.practised);
    case 'left-round-taken':
      return app.leftRound === undefined ? app : takeRound(app, app.leftRound.round);
    case 'waiting':
      return { ...app, waiting: event.reason };
    case 'delivery':
      return takeStatus(app, event.status);
    case 'receipt':
      return takeReceipt(withoutCrashNotice(app), event.round, event.receipt);
    case 'history':
      return { ...app, history: event.history };
    case 'journal-problem':
      return { ...app, notice: `${crashNotice} ${event.reason}.` };
    case 'notice':
      return { ...app, notice: event.notice };
    case 'goal':
      return { ...app, goal: event.goal };
    case 'last-round':
      return { ...app, lastMoments: event.moments };
    case 'next-text':
      return app.ownText === event.before ? { ...app, ownText: event.ownText } : app;
    case 'catalog':
      return takeCatalog(app, event.catalog);
    default:
      return { ...app, report: event.report, historyView: { ...app.historyView, kinds: event.kinds } };
  }
}

function start(app: App, findings: UnsentFindings): Reaction {
  const { left } = findings;
  const greeting = [...toNews(findings, app.waitingCommand), app.greeting]
    .filter((part) => part !== '')
    .join(' ');
  if (left === undefined) return only({ ...app, greeting }, 'new-round', ...toMissedEffects(app));
  const round = toLeftRound(left);
  return only({ ...app, greeting, screen: 'resume', leftRound: { unsent: left, round } });
}

/** What a palette asked for that was opened when there was nobody to ask yet. */
function toMissedEffects({ screen, catalog }: App): Effect[] {
  return screen === 'palette' && catalog === undefined ? ['load-catalog'] : [];
}

/** What became of earlier rounds. */
function toNews(
  { delivered, heldUp, awaited: [first, ...others] }: UnsentFindings,
  waitingCommand: string,
): string[] {
  const waiting = others.length + 1;
  const cutOff = heldUp.at(-1);
  return [
    ...(cutOff === undefined
      ? []
      : [`${toCutOffText(toLeftRound(cutOff))} waits for ${toHost(cutOff.head.server)}.`]),
    ...(delivered > 0 ? [`${toCountText(delivered, 'earlier round')} delivered to the server now.`] : []),
    ...(first === undefined
      ? []
      : [
          `${toCountText(waiting, 'round')} ${waiting === 1 ? 'waits' : 'wait'} for ${toHost(first)}: see ${waitingCommand}.`,
        ]),
  ];
}

/** Journals may come from anywhere. */
function toHost(server: string): string {
  if (server.startsWith('inside ')) return 'the server inside play';
  return URL.canParse(server) ? new URL(server).host : 'another server';
}

function tick(app: App, time: number): Reaction {
  if (app.round === undefined || isComplete(app.round)) return only(app);
  if (isTimeUp(app.round, time)) return only(finishRound(app, endByTime(app.round), time), 'finish-round');
  const elapsed = toElapsed(app.round, time);
  const moved = elapsed === app.elapsed ? app : { ...app, elapsed };
  return only(isIdle(app.round, time) ? pauseRound(moved, time) : moved);
}

/** True until the server has the round. */
const crashNotice = 'A crash would lose this round:';

function withoutCrashNotice(app: App): App {
  return app.notice.startsWith(crashNotice) ? { ...app, notice: '' } : app;
}

function changeRound(app: App, action: RoundAction): App {
  return app.round === undefined ? app : withRound(app, reduceLocalRound(app.round, action));
}

/** The server confirms every word; only trouble is worth a drawing. */
function takeStatus(app: App, status: DeliveryStatus): App {
  const isQuiet = status.away === '' && status.lost === '';
  const wasQuiet = app.delivery.away === '' && app.delivery.lost === '';
  return isQuiet && wasQuiet ? app : { ...app, delivery: status };
}
