import { Box, Spacer } from 'ink';
import { memo } from 'react';
import stringWidth from 'string-width';
import type { App } from '../app/app-state.ts';
import { blockWordRows, drawCurrentWord, plainWordRows } from '../drawing/current-word.ts';
import { drawFlowingText } from '../drawing/flowing-text.ts';
import { drawSmallKeyboard, keyboardHeight, keyboardWidth } from '../drawing/small-keyboard.ts';
import { toCentre, toRows } from '../drawing/text-layout.ts';
import {
  drawNextWords,
  drawPreviousWord,
  drawProgress,
  drawSpeed,
  drawTitle,
  type SpeedOptions,
  toShownWpm,
} from '../drawing/typing-rows.ts';
import type { Run } from '../game/run.ts';
import type { Look } from '../screen/look.ts';
import type { Size } from '../screen/size.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';
import { drawTypingStatus, toWaitingText } from './typing-status.ts';

interface ScreenProps {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
}

/** Every part is drawn again only when what it shows has changed: a key changes the word and little else. */
export function TypingScreen({ look, app, size }: ScreenProps) {
  const { run } = app;
  const width = size.columns - 2;
  const total = run?.words.length ?? 0;
  const isIdle = run === undefined || run.inputs.length === 0;
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingX={1}>
      <Head look={look} wordIndex={run?.wordIndex ?? 0} total={total} width={width} />
      <Spacer />
      {run === undefined ? (
        <Waiting text={toWaitingText(look, app)} width={width} />
      ) : (
        <Words look={look} app={app} run={run} size={size} />
      )}
      <Spacer />
      {run !== undefined && (
        <Speed
          look={look}
          wpm={toShownWpm(app, run)}
          best={app.history?.best_wpm ?? 0}
          average={app.history?.average_wpm ?? 0}
          width={width}
        />
      )}
      <Line text={drawTypingStatus(look, app)} />
      <Hints look={look} isIdle={isIdle} width={width} />
    </Box>
  );
}

function Waiting({ text, width }: { readonly text: string; readonly width: number }) {
  return <Lines rows={toRows(text, width).map((row) => toCentre(row, width))} />;
}

interface HeadProps {
  readonly look: Look;
  readonly wordIndex: number;
  readonly total: number;
  readonly width: number;
}

const Head = memo(function Head({ look, wordIndex, total, width }: HeadProps) {
  const number = Math.min(wordIndex + 1, total);
  return (
    <>
      <Line text={drawTitle(look, number, total, width)} />
      <Line text={total === 0 ? '' : drawProgress(look, wordIndex, total, width)} />
    </>
  );
});

const Speed = memo(function Speed({ look, ...speed }: SpeedOptions & { readonly look: Look }) {
  return <Line text={drawSpeed(look, speed)} />;
});

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

interface HintsProps {
  readonly look: Look;
  readonly isIdle: boolean;
  readonly width: number;
}

const Hints = memo(function Hints({ look, isIdle, width }: HintsProps) {
  return <Line text={drawKeyHints(look, isIdle ? idleHints : hints, width)} />;
});

/** Rows that the title, the progress, the speed, the status and the hints take. */
const frameRows = 5;

function Words({ look, app, run, size }: ScreenProps & { readonly run: Run }) {
  const width = size.columns - 2;
  const room = size.rows - frameRows;
  const fits = room >= blockWordRows + 4 + keyboardHeight + 1 && width >= keyboardWidth;
  const hasKeyboard = app.options.keyboard && fits;
  const rows = hasKeyboard ? room - keyboardHeight - 1 : room;
  const next = run.words[run.wordIndex]?.[run.typed.length] ?? '';
  const Text = app.options.view === 'lines' ? FlowingText : BlockWord;
  return (
    <>
      <Text look={look} run={run} width={width} rows={rows} />
      {hasKeyboard && <Spacer />}
      {hasKeyboard && <Keyboard look={look} next={next} width={width} />}
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
  const word = run.words[run.wordIndex] ?? '';
  const wordRows = rows - 2 >= blockWordRows ? blockWordRows : plainWordRows;
  const drawn = drawCurrentWord(look, word, run.typed, width, wordRows);
  const indent = Math.floor((width - stringWidth(drawn[0] ?? '')) / 2);
  return (
    <>
      <Centred text={drawPreviousWord(look, run)} width={width} />
      {isRoomy && <Line text="" />}
      <Box flexDirection="column" marginLeft={indent} flexShrink={0}>
        <Lines rows={drawn} />
      </Box>
      {isRoomy && <Line text="" />}
      <Centred text={drawNextWords(look, run, width)} width={width} />
    </>
  );
}

const Centred = memo(function Centred({ text, width }: { readonly text: string; readonly width: number }) {
  return (
    <Box marginLeft={Math.floor((width - stringWidth(text)) / 2)}>
      <Line text={text} />
    </Box>
  );
});

/** Longer lines are hard to follow with the eye. */
const longestLine = 72;

function FlowingText({ look, run, width, rows }: WordsProps) {
  const measure = Math.min(width, longestLine);
  return (
    <Box flexDirection="column" marginLeft={Math.floor((width - measure) / 2)} flexShrink={0}>
      <Lines rows={drawFlowingText(look, run, measure, rows)} />
    </Box>
  );
}

interface KeyboardProps {
  readonly look: Look;
  readonly next: string;
  readonly width: number;
}

const Keyboard = memo(function Keyboard({ look, next, width }: KeyboardProps) {
  return (
    <Box flexDirection="column" marginLeft={Math.floor((width - keyboardWidth) / 2)} flexShrink={0}>
      <Lines rows={drawSmallKeyboard(look, next)} />
    </Box>
  );
});
