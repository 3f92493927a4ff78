import { modeName } from '../typing/modes/mode.ts';
import type { FinishedRound } from '../typing/statistics/finished-round.ts';
import type { Rounds } from './link/rounds.ts';
import { messageOf } from './link/session.ts';
import { dailyGoal, readTimeZone } from './progress/days.ts';
import type { RoundHistory } from './progress/report.ts';
import type { RoundRecord } from './progress/round-record.ts';
import type { Folders } from './record/folders.ts';
import type { CustomText, Options } from './record/options.ts';
import type { RoundScore } from './round/scoring.ts';
import type { Effect } from './screens/reaction.ts';
import { momentsOf } from './state/pace.ts';
import { type State, sessionSetup } from './state/state.ts';
import type { Event } from './update.ts';
import { drawnLayout } from './view/keyboard.ts';

/** All finished rounds of this typist on this computer. */
export interface TypistRounds extends RoundHistory {
  /** The whole round of each of `records`. */
  readonly roundOf: ReadonlyMap<RoundRecord, FinishedRound>;
}

export interface PlayerOptions {
  /** The options at the start, flags included. */
  readonly options: Options;
  /** Saves the options that the typist changes; rejects if they cannot be written. */
  readonly saveOptions: (now: Options) => Promise<void>;
  readonly folders: Folders;
  /** One sentence to show at the start; empty for none. */
  readonly greeting: string;
  /** The profile in use; empty for the default one. */
  readonly profile: string;
  /** A custom text to start with. */
  readonly customText: CustomText | undefined;
  readonly readHistory: () => Promise<TypistRounds>;
}

/** The context of the effects. They change the state by events only. */
export interface EffectContext extends PlayerOptions {
  /** The state as it is now. */
  readonly state: State;
  /** Undefined until the source of rounds is known. */
  readonly rounds: Rounds | undefined;
  /** The scores of the rounds finished so far. */
  readonly scores: RoundScore[];
  dispatch(event: Event): void;
  end(options: { readonly keepUnfinished: boolean }): void;
  suspend(): void;
  repaint(): void;
  bell(): void;
}

/** Carries out each effect, after drawing. Slow ones end in an event. */
export const effects: Readonly<Record<Effect, (context: EffectContext) => void>> = {
  'new-round': ({ rounds, state }) => void rounds?.begin(sessionSetup(state)),
  'repeat-round': ({ rounds, state }) => {
    if (state.outcome !== undefined) rounds?.repeat(state.outcome.round);
  },
  'finish-round': finishRound,
  'quit-discarding': ({ end }) => end({ keepUnfinished: false }),
  'quit-keeping': ({ end }) => end({ keepUnfinished: true }),
  suspend: ({ suspend }) => suspend(),
  redraw: ({ repaint }) => repaint(),
  bell: ({ bell }) => bell(),
  'save-options': saveOptions,
  'load-report': (context) => void attempt(context, loadReport(context)),
  'load-goal': (context) => void loadGoal(context),
  'load-moments': (context) => void loadMoments(context),
  'load-catalog': (context) => void loadCatalog(context),
  'other-text': (context) => void attempt(context, openOtherText(context)),
};

/** Waits for work, and shows its error. */
async function attempt({ dispatch }: EffectContext, work: Promise<void>, about = ''): Promise<void> {
  await work.catch((error: unknown) => {
    const message = messageOf(error);
    const notice =
      about === '' ? `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}` : `${about}: ${message}.`;
    dispatch({ type: 'notice', notice });
  });
}

function finishRound(context: EffectContext): void {
  const { outcome } = context.state;
  if (outcome === undefined) return;
  const { round, score } = outcome;
  context.scores.push(score);
  if (round.ended !== undefined) {
    context.rounds?.discard();
    return;
  }
  void context.rounds?.finish(round);
  // The results draw the keyboard that was typed on.
  if (drawnLayout(context.state.catalog, round.roundSetup) === undefined) void loadCatalog(context);
  if (round.roundSetup.mode.type === 'text')
    void attempt(context, openNextPart(context), 'Your place in the text could not be kept');
}

/** The next round is the next part of a long text, unless another one was chosen meanwhile. */
async function openNextPart(context: EffectContext): Promise<void> {
  const { customText: before, options } = context.state;
  const customText = await before?.next?.(options);
  if (customText !== undefined && context.state.customText === before)
    context.dispatch({ type: 'loaded', change: { customText } });
}

/** Another text of the same folder. */
async function openOtherText({ state, dispatch }: EffectContext): Promise<void> {
  const customText = await state.customText?.other?.(state.options);
  if (customText !== undefined) dispatch({ type: 'custom-text', customText });
}

function saveOptions(context: EffectContext): void {
  void loadGoal(context);
  if (context.state.catalog === undefined && context.state.options.keyboard) void loadCatalog(context);
  void attempt(context, context.saveOptions(context.state.options), 'The options could not be saved');
}

/** Loads languages and layouts for the palette, which also works without them. */
async function loadCatalog({ rounds, dispatch }: EffectContext): Promise<void> {
  const catalog = await rounds?.catalog().catch(() => undefined);
  if (catalog !== undefined) dispatch({ type: 'loaded', change: { catalog } });
}

async function loadReport(context: EffectContext): Promise<void> {
  const { kindReport } = await import('./progress/report.ts');
  const history = await context.readHistory();
  const { report, kinds } = kindReport(history, readTimeZone(), context.state.historyView.kind);
  const historyView = { ...context.state.historyView, kinds };
  context.dispatch({ type: 'loaded', change: { report, historyView } });
}

/** If the history cannot be read, neither a goal nor an error is shown. */
async function loadGoal(context: EffectContext): Promise<void> {
  const { goal: minutes } = context.state.options;
  if (minutes === 0 && context.state.goal === undefined) return;
  const history = minutes === 0 ? undefined : await context.readHistory().catch(() => undefined);
  const goal = history && dailyGoal(history.records, minutes, new Date().toISOString(), readTimeZone());
  context.dispatch({ type: 'loaded', change: { goal } });
}

/** The pace of the latest round that counts, of the same mode, language and layout. */
async function loadMoments({ state, readHistory, dispatch }: EffectContext): Promise<void> {
  if (state.round === undefined) return;
  const { filteredRounds } = await import('./progress/report.ts');
  const { mode, language, layout } = state.round.practice;
  const kind = { mode: modeName(mode), language, layout };
  const history = await readHistory().catch(() => undefined);
  const last = history && filteredRounds(history, kind).findLast(({ counts }) => counts);
  const round = last && history?.roundOf.get(last);
  dispatch({ type: 'loaded', change: { lastMoments: round === undefined ? [] : momentsOf(round) } });
}
