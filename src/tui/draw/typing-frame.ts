import type { Look } from '../look/look.ts';
import { toPacePlace } from '../round/pacer.ts';
import { isReadAsText } from '../round/practised.ts';
import type { LocalRound } from '../round/round.ts';
import { type App, toPacer } from '../state/app-state.ts';
import { toFocusParts } from '../text/focus-text.ts';
import { toKindText } from '../text/kind-text.ts';
import { toPaceMs } from '../text/pace-text.ts';
import { toPlace } from '../text/place-text.ts';
import { toRuleParts } from '../text/rules-text.ts';
import { toCentre, toFittingParts, toGaps, toRows } from '../text/text-layout.ts';
import { toFrameColumns, toSeenRound } from '../text/text-rows.ts';
import { drawKeyHints } from './key-hints.ts';
import { drawSmallKeyboard, keyboardHeight, toDrawnLayout, toKeyboardWidth } from './small-keyboard.ts';
import { drawProgress, drawSpeed, drawTitle, toShownWpm } from './typing-rows.ts';
import { drawTypingStatus, toWaitingText } from './typing-status.ts';
import { drawBlockView, drawLineView, roomyWordRows } from './word-view.ts';

/** Rows that follow each other on the typing screen. */
export interface FramePart {
  /** Blank rows above it. */
  readonly gap: number;
  readonly rows: readonly string[];
  /** Whether it keeps its rows where the screen is too small for all parts. */
  readonly isFirm: boolean;
}

/** The typing screen from top to bottom. */
export type TypingFrame = readonly FramePart[];

/** Rows of the speed, the status and the hints. */
const footRows = 3;

/** Draws the typing screen. Rows that a key seldom changes are drawn again only when what they show has changed. */
export function createTypingDrawing(): (look: Look, app: App) => TypingFrame {
  const drawHead = createHeadDrawing();
  const drawFoot = createFootDrawing();
  return (look, app) => {
    const { round, size } = app;
    const width = toFrameColumns(app);
    const head = drawHead(look, app, width);
    const room = size.rows - head.length - footRows;
    const keyboard = round === undefined ? [] : drawKeyboard(look, app, round, width, room);
    const words = drawMiddle(look, app, width, room - toKeyboardRows(keyboard));
    const free = room - words.length - keyboard.length;
    const [above = 0, between = 0, below = between] = toGaps(free, keyboard.length > 0 ? 3 : 2);
    return [
      { gap: 0, rows: head, isFirm: false },
      { gap: above, rows: words, isFirm: true },
      ...(keyboard.length > 0 ? [{ gap: between, rows: keyboard, isFirm: true }] : []),
      { gap: below, rows: drawFoot(look, app, width), isFirm: false },
    ];
  };
}

type RowDrawing = (look: Look, app: App, width: number) => readonly string[];

function createHeadDrawing(): RowDrawing {
  const title = remember(drawTitle);
  const progress = remember(drawProgress);
  return (look, { round, elapsed, options, profile }, width) => {
    const rules = round === undefined ? [] : toRuleParts(round, options.blind);
    const more = [...rules, profile].filter((part) => part !== '').join('\n');
    const { place, width: placeWidth, done, total } = toPlace(round, elapsed);
    const focus = round === undefined ? [] : drawFocus(look, round, width);
    return [
      title(look, toKindText(round), more, place, placeWidth, width),
      progress(look, done, total, width),
      ...focus,
    ];
  };
}

/** The speed once there are words, what matters most right now, and the keys; always in the same rows. */
function createFootDrawing(): RowDrawing {
  const speed = remember(drawSpeedRow);
  const hints = remember(drawHintRow);
  return (look, app, width) => {
    const { round, history } = app;
    const { best_standard_wpm: best = 0, average_standard_wpm: average = 0 } = history ?? {};
    return [
      round === undefined ? '' : speed(look, toShownWpm(app, round), best, average, width),
      drawTypingStatus(look, app, width),
      hints(look, round === undefined || round.inputs.length === 0, width),
    ];
  };
}

/** Calls `draw` again only when something that it is called with has changed. */
function remember<Args extends readonly unknown[]>(
  draw: (...args: Args) => string,
): (...args: Args) => string {
  let last: { readonly args: Args; readonly row: string } | undefined;
  return (...args) => {
    if (last === undefined || last.args.some((arg, at) => arg !== args[at])) {
      last = { args, row: draw(...args) };
    }
    return last.row;
  };
}

function drawSpeedRow(
  look: Look,
  wpm: number | undefined,
  best: number,
  average: number,
  width: number,
): string {
  return drawSpeed(look, { wpm, best, average, width });
}

/** What a round of letters or pairs is about, in one row; none for other rounds. */
function drawFocus(look: Look, round: LocalRound, width: number): string[] {
  const parts = toFocusParts(round);
  return parts.length === 0 ? [] : [look.paint('faint', toFittingParts(parts, '  ', width))];
}

/** The words, or what they are waited for. */
function drawMiddle(look: Look, app: App, width: number, rows: number): string[] {
  return app.round === undefined
    ? toRows(toWaitingText(look, app), width)
        .slice(0, app.size.rows)
        .map((row) => toCentre(row, width))
    : drawWords(look, app, toSeenRound(app, app.round), width, rows);
}

function drawWords(look: Look, app: App, round: LocalRound, width: number, rows: number): string[] {
  const pacer = toPacer(app);
  const pace = pacer && toPacePlace(round, pacer, toPaceMs(app));
  return app.options.view === 'lines' || isReadAsText(round.practised)
    ? drawLineView(look, round, width, rows, pace)
    : drawBlockView(look, round, width, rows, pace);
}

/** The gap above it included. */
function toKeyboardRows(keyboard: readonly string[]): number {
  return keyboard.length === 0 ? 0 : keyboard.length + 1;
}

/** No rows where it is not wanted or has no room, or where the layout is not known. */
function drawKeyboard(look: Look, app: App, round: LocalRound, width: number, room: number): string[] {
  const layout = app.options.keyboard ? toDrawnLayout(app.catalog, round.practised) : undefined;
  if (layout === undefined) return [];
  const keyboardWidth = toKeyboardWidth(layout);
  const least = roomyWordRows + keyboardHeight + 1;
  if (room < least || width < keyboardWidth) return [];
  const indent = ' '.repeat(Math.floor((width - keyboardWidth) / 2));
  const next = round.targets[round.wordIndex]?.[round.typed.length] ?? toEndKey(app);
  return drawSmallKeyboard(look, layout, next, room > least).map((row) => indent + row);
}

/** The key that ends a word; empty for one that is not on the drawing. */
function toEndKey({ options }: App): string {
  return options.advance === 'enter' ? '' : ' ';
}

const typingHints = [
  ['Tab', 'restart'],
  ['Esc', 'leave'],
  ['F1', 'help'],
  ['Ctrl+P', 'choose'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
] as const;

const idleHints = [
  ['?', 'help'],
  ['Ctrl+P', 'choose'],
  ['Esc', 'leave'],
  ['Tab', 'restart'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
] as const;

function drawHintRow(look: Look, isIdle: boolean, width: number): string {
  return drawKeyHints(look, isIdle ? idleHints : typingHints, width);
}
