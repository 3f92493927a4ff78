import { memo } from 'react';
import { drawKeyHints } from '../draw/key-hints.ts';
import { drawSmallKeyboard, keyboardHeight, toDrawnLayout, toKeyboardWidth } from '../draw/small-keyboard.ts';
import {
  drawProgress,
  drawSpeed,
  drawTitle,
  type Place,
  type SpeedOptions,
  toPlace,
  toShownWpm,
} from '../draw/typing-rows.ts';
import { drawTypingStatus, toWaitingText } from '../draw/typing-status.ts';
import { drawBlockView, drawLineView, roomyWordRows } from '../draw/word-view.ts';
import type { Look } from '../look/look.ts';
import { toBlindRound } from '../round/blind.ts';
import { toPacePlace } from '../round/pacer.ts';
import type { LocalRound } from '../round/round.ts';
import { type App, toPacer } from '../state/app-state.ts';
import type { Size } from '../terminal/size.ts';
import { toFocusParts } from '../text/focus-text.ts';
import { toKindText } from '../text/kind-text.ts';
import { toPaceMs } from '../text/pace-text.ts';
import { toCentre, toFittingParts, toGaps, toRows } from '../text/text-layout.ts';
import { Gap, Line, Lines, Screen } from './lines.tsx';

interface ScreenProps {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
}

/** Rows of the title and the progress, and of the speed, the status and the hints. */
const headRows = 2;
const footRows = 3;

/** Every part is drawn again only when what it shows has changed: a key changes the word and little else. */
export function TypingScreen({ look, app, size }: ScreenProps) {
  const { round } = app;
  const width = size.columns - 2;
  const focus = round === undefined ? [] : toFocusParts(round.practised);
  const room = size.rows - headRows - footRows - (focus.length === 0 ? 0 : 1);
  const keyboard = round === undefined ? [] : drawKeyboard(look, app, round, width, room);
  const words =
    round === undefined
      ? toRows(toWaitingText(look, app), width).map((row) => toCentre(row, width))
      : drawWords(look, app, toSeenRound(app, round), width, room - toKeyboardRows(keyboard));
  const hasKeyboard = keyboard.length > 0;
  const [above, between, below = between] = toGaps(
    room - words.length - keyboard.length,
    hasKeyboard ? 3 : 2,
  );
  return (
    <Screen size={size}>
      <Head look={look} kind={toKindText(round)} {...toPlace(round, app.elapsed)} width={width} />
      {focus.length > 0 && <Line text={look.paint('faint', toFittingParts(focus, '  ', width))} />}
      <Gap rows={above ?? 0} />
      <Lines rows={words} />
      {hasKeyboard && <Gap rows={between ?? 0} />}
      {hasKeyboard && <Lines rows={keyboard} />}
      <Gap rows={below ?? 0} />
      <Foot look={look} app={app} width={width} />
    </Screen>
  );
}

function drawWords(look: Look, app: App, round: LocalRound, width: number, rows: number): string[] {
  const pacer = toPacer(app);
  const pace = pacer && toPacePlace(round, pacer, toPaceMs(app));
  return app.options.view === 'lines' || isReadAsText(round)
    ? drawLineView(look, round, width, rows, pace)
    : drawBlockView(look, round, width, rows, pace);
}

function toSeenRound({ options }: App, round: LocalRound): LocalRound {
  return options.blind ? toBlindRound(round) : round;
}

/** A text that hangs together is read as lines, whatever the view. */
function isReadAsText({ practised: { mode } }: LocalRound): boolean {
  return mode.type === 'text' || mode.type === 'quote' || mode.type === 'code';
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

interface HeadProps extends Place {
  readonly look: Look;
  readonly kind: string;
  readonly width: number;
}

const Head = memo(function Head({ look, kind, width, ...place }: HeadProps) {
  return (
    <>
      <Line text={drawTitle(look, kind, place, width)} />
      <Line text={place.total === 0 ? '' : drawProgress(look, place, width)} />
    </>
  );
});

/** The speed once there are words, what matters most right now, and the keys; always in the same rows. */
function Foot({ look, app, width }: { readonly look: Look; readonly app: App; readonly width: number }) {
  const { round, history } = app;
  const isIdle = round === undefined || round.inputs.length === 0;
  return (
    <>
      {round === undefined ? (
        <Line text="" />
      ) : (
        <Speed
          look={look}
          wpm={toShownWpm(app, round)}
          best={history?.best_standard_wpm ?? 0}
          average={history?.average_standard_wpm ?? 0}
          width={width}
        />
      )}
      <Line text={drawTypingStatus(look, app, width)} />
      <Hints look={look} isIdle={isIdle} width={width} />
    </>
  );
}

const Speed = memo(function Speed({ look, ...speed }: SpeedOptions & { readonly look: Look }) {
  return <Line text={drawSpeed(look, speed)} />;
});

const hints = [
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
  ['Tab', 'other words'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
] as const;

interface HintsProps {
  readonly look: Look;
  readonly isIdle: boolean;
  readonly width: number;
}

const Hints = memo(function Hints({ look, isIdle, width }: HintsProps) {
  return <Line text={drawKeyHints(look, isIdle ? idleHints : hints, width)} />;
});
