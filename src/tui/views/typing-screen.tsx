import { Box, Spacer } from 'ink';
import type { App } from '../app-state.ts';
import { blockWordRows, drawCurrentWord, plainWordRows } from '../drawing/current-word.ts';
import { drawFlowingText } from '../drawing/flowing-text.ts';
import { drawSmallKeyboard, keyboardHeight, keyboardWidth } from '../drawing/small-keyboard.ts';
import { toBothEnds, toCentre } from '../drawing/text-layout.ts';
import { drawNextWords, drawPreviousWord, drawProgress, drawSpeed } from '../drawing/typing-rows.ts';
import type { Run } from '../game/run.ts';
import type { Size } from '../screen/canvas.ts';
import type { Look } from '../screen/look.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';
import { drawTypingStatus } from './typing-status.ts';

interface ScreenProps {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
}

const hints = [
  ['Tab', 'restart'],
  ['Esc', 'leave'],
  ['F1', 'help'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
] as const;

const idleHints = [
  ['?', 'help'],
  ['Tab', 'other words'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
  ['Esc', 'leave'],
] as const;

export function TypingScreen({ look, app, size }: ScreenProps) {
  const { run } = app;
  const width = size.columns - 2;
  const isIdle = run === undefined || run.inputs.length === 0;
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingX={1}>
      <Line text={toTitle(look, run, width)} />
      <Line text={run === undefined ? '' : drawProgress(look, run, width)} />
      <Spacer />
      {run !== undefined && <Words look={look} app={app} run={run} size={size} />}
      <Spacer />
      {run !== undefined && <Line text={drawSpeed(look, app, run, width)} />}
      <Line text={drawTypingStatus(look, app)} />
      <Line text={drawKeyHints(look, isIdle ? idleHints : hints, width)} />
    </Box>
  );
}

function toTitle({ paint }: Look, run: Run | undefined, width: number): string {
  const number =
    run === undefined ? '' : `word ${Math.min(run.wordIndex + 1, run.words.length)} of ${run.words.length}`;
  return toBothEnds(paint('strong', 'typebadge'), paint('faint', number), width);
}

/** Rows that the title, the progress, the speed, the status and the hints take. */
const frameRows = 5;

function Words({ look, app, run, size }: ScreenProps & { readonly run: Run }) {
  const width = size.columns - 2;
  const room = size.rows - frameRows;
  const hasKeyboard =
    app.options.keyboard && room >= blockWordRows + 4 + keyboardHeight + 1 && width >= keyboardWidth;
  const rows = hasKeyboard ? room - keyboardHeight - 1 : room;
  const next = run.words[run.wordIndex]?.[run.typed.length] ?? '';
  return (
    <>
      {app.options.view === 'lines' ? (
        <FlowingText look={look} run={run} width={width} rows={rows} />
      ) : (
        <BlockWord look={look} run={run} width={width} rows={rows} />
      )}
      {hasKeyboard && <Spacer />}
      {hasKeyboard && (
        <Lines
          rows={drawSmallKeyboard(look, next).map(
            (row) => ' '.repeat(Math.floor((width - keyboardWidth) / 2)) + row,
          )}
        />
      )}
    </>
  );
}

interface WordsProps {
  readonly look: Look;
  readonly run: Run;
  readonly width: number;
  readonly rows: number;
}

/** The previous word, the current one as large as it gets, the next three. */
function BlockWord({ look, run, width, rows }: WordsProps) {
  const isRoomy = rows >= blockWordRows + 4;
  const wordRoom = rows - 2;
  const word = run.words[run.wordIndex] ?? '';
  const drawn = drawCurrentWord(
    look,
    word,
    run.typed,
    width,
    wordRoom >= blockWordRows ? wordRoom : plainWordRows,
  );
  return (
    <>
      <Line text={toCentre(drawPreviousWord(look, run), width)} />
      {isRoomy && <Line text="" />}
      <Lines rows={toBlockCentre(drawn, width)} />
      {isRoomy && <Line text="" />}
      <Line text={toCentre(drawNextWords(look, run, width), width)} />
    </>
  );
}

/** All rows of a drawing moved by the same amount. */
function toBlockCentre(rows: readonly string[], width: number): string[] {
  const first = rows[0] ?? '';
  const indent = toCentre(first, width).length - first.length;
  return rows.map((row) => ' '.repeat(indent) + row);
}

/** Longer lines are hard to follow with the eye. */
const longestLine = 72;

function FlowingText({ look, run, width, rows }: WordsProps) {
  const measure = Math.min(width, longestLine);
  const indent = ' '.repeat(Math.floor((width - measure) / 2));
  return <Lines rows={drawFlowingText(look, run, measure, rows).map((row) => indent + row)} />;
}
