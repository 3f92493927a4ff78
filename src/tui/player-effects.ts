import { qwerty } from '../typing/letters/layout.ts';
import type { Effect } from './app/reaction.ts';
import { toShownText } from './link/session/server-problem.ts';
import type { PlayerContext } from './player-context.ts';
import { readLastRound, saveLastRound } from './record/last-round.ts';
import { toChosenOwnLayout } from './record/options.ts';
import { nameOwnLayout, readRoundHistory } from './record/round-history.ts';
import { toKindKey, toRoundRecord } from './record/round-record.ts';
import { removeUnsent } from './record/unsent-journal.ts';
import { toMoments } from './round/pacer.ts';
import type { LocalRound } from './round/round.ts';
import { toScore } from './round/scoring.ts';
import { toSetup } from './state/app-state.ts';
import { toSentence } from './text/figures/figures.ts';

/** How each effect is carried out. What takes a while ends in an event. */
export const effects: Readonly<Record<Effect, (context: PlayerContext) => void>> = {
  'new-round': ({ rounds, app }) => void rounds?.begin(toSetup(app)),
  'finish-round': finishRound,
  'take-left-round': takeLeftRound,
  'drop-left-round': dropLeftRound,
  leave: ({ end }) => end({ keepUnfinished: false }),
  'break-off': ({ end }) => end({ keepUnfinished: true }),
  suspend: ({ suspend }) => suspend(),
  redraw: ({ repaint }) => repaint(),
  bell: ({ bell }) => bell(),
  'save-options': saveOptions,
  'load-report': (context) => void loadReport(context),
  'load-catalog': (context) => void loadCatalog(context),
  'open-text': (context) => void openText(context),
};

/** Messages of errors name files, which may be called anything. */
function notify({ dispatch }: PlayerContext, notice: string): void {
  dispatch({ type: 'notice', notice: toShownText(notice) });
}

function finishRound(context: PlayerContext): void {
  const { app, rounds } = context;
  const round = app.outcome?.round;
  if (round === undefined) return;
  context.drawNow(); // the results first: writing to the disk may take a moment
  if (round.ended === undefined) rounds?.finish(round);
  else rounds?.offer(round);
  context.scores.push({ ...toScore(round), kind: toKindKey(round) });
  const isRecorded = record(context, round);
  if (round.ended !== undefined) rounds?.endEarly(isRecorded);
  keepMoments(context, round);
  void loadGoal(context);
  if (round.ended === undefined && round.practised.mode.type === 'text') void goOnInText(context);
}

/** Gives back whether the round is in the typist's own record. */
function record(context: PlayerContext, round: LocalRound): boolean {
  try {
    const line = toRoundRecord(round, context.app.options.punctuation);
    context.recorder.add(line);
    context.days.add(line);
    return true;
  } catch (error) {
    notify(context, `Your own record could not be written: ${(error as Error).message}.`);
    return false;
  }
}

/** Nothing is lost without it but a pace for the next round. */
function keepMoments({ folders }: PlayerContext, round: LocalRound): void {
  const isWorthy = round.ended === undefined && toScore(round).verdict === null;
  if (isWorthy) saveLastRound(folders.data, round.practised, toMoments(round)).catch(() => {});
}

export async function loadLastRound({ app, folders, dispatch }: PlayerContext): Promise<void> {
  const { options, round } = app;
  if (options.pace !== 'last' || round === undefined) return;
  dispatch({ type: 'last-round', moments: await readLastRound(folders.data, round.practised) });
}

/** The next round is the next part of a long text. */
async function goOnInText(context: PlayerContext): Promise<void> {
  const before = context.app.ownText;
  if (before?.next === undefined) return;
  try {
    context.dispatch({ type: 'next-text', before, ownText: await before.next() });
  } catch (error) {
    notify(context, `Your place in the text could not be kept: ${(error as Error).message}.`);
  }
}

async function openText(context: PlayerContext): Promise<void> {
  try {
    context.dispatch({ type: 'own-text', ownText: await context.readText(context.app.wantedText) });
  } catch (error) {
    notify(context, toSentence((error as Error).message));
  }
}

function takeLeftRound({ app: { leftRound }, rounds, dispatch }: PlayerContext): void {
  if (leftRound === undefined) return;
  dispatch({ type: 'left-round-taken' });
  rounds?.takeUp(leftRound.unsent); // last: what goes wrong is shown on the screen of the round
}

function dropLeftRound({ app: { leftRound } }: PlayerContext): void {
  if (leftRound !== undefined) removeUnsent(leftRound.unsent);
}

function saveOptions(context: PlayerContext): void {
  void loadGoal(context);
  loadLayout(context);
  context
    .saveOptions(context.app.options)
    .catch((error: Error) => notify(context, `The options could not be saved: ${error.message}.`));
}

/** Without it nothing is shown: that is not worth disturbing anyone. */
export async function loadGoal(context: PlayerContext): Promise<void> {
  const { goal: minutes } = context.app.options;
  const goal = minutes === 0 ? undefined : await context.days.toGoal(minutes).catch(() => undefined);
  if (goal !== undefined || context.app.goal !== undefined) context.dispatch({ type: 'goal', goal });
}

/** A keyboard other than the usual one is drawn as the server describes it: below the words, and on the results. */
export function loadLayout(context: PlayerContext): void {
  const { options, catalog } = context.app;
  const isKnown = options.layout === qwerty.id || toChosenOwnLayout(options) !== undefined;
  if (!isKnown && catalog === undefined) void loadCatalog(context);
}

/** Without it the palette has everything but languages and layouts. Before a server is found, nobody knows them. */
async function loadCatalog({ rounds, dispatch }: PlayerContext): Promise<void> {
  if (rounds === undefined) return;
  dispatch({ type: 'catalog', catalog: await rounds.readCatalog().catch(() => undefined) });
}

/** The time zone's rules take a moment to load, so they are loaded when somebody looks at the history. */
async function loadReport(context: PlayerContext): Promise<void> {
  try {
    const { toDayReport, toKindReport } = await import('./trend/one-day.ts');
    const { readTimeZone } = await import('./trend/report.ts');
    const read = await readRoundHistory(context.folders.data);
    const history = nameOwnLayout(read, context.app.options.ownLayout);
    const { kind, day } = context.app.historyView;
    const ago = ['today', 'yesterday'].indexOf(day);
    const found =
      ago < 0
        ? toKindReport(history, readTimeZone(), kind)
        : toDayReport(history, readTimeZone(), kind, ago, new Date().toISOString());
    context.dispatch({ type: 'report', ...found });
  } catch (error) {
    notify(context, (error as Error).message);
  }
}
