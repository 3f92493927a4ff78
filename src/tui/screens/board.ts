import { createTypingDrawing, type TypingFrame } from '../draw/typing-frame.ts';
import { createLook, type Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import { Canvas } from '../terminal/canvas.ts';
import { createRowTokens, type RowTokens } from '../terminal/row-tokens.ts';
import { isTooSmall, type Size } from '../terminal/size.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isPlain } from '../text/reading.ts';

/** What the screens are drawn on, and the rows of the typing screen, which change with each key. */
export interface Board {
  readonly canvas: Canvas;
  readonly tokens: RowTokens;
  /** The colours and signs of these options; the same object while neither changes. */
  toLook(app: App): Look;
  /** Draws the rows of the typing screen, for the canvas to show. Undefined where another screen is shown. */
  setRows(app: App): TypingFrame | undefined;
  /** The terminal has another size; gives back what there is to draw on from now on. */
  resize(terminalSize: Size): Size;
}

/** Room for long words in large letters; what is further apart could no longer be seen at one glance. */
const largestFrame: Size = { columns: 160, rows: 48 };

/** @param depth bits per colour that the terminal shows; 1 for none */
export function createBoard(terminal: Terminal, depth: number): Board {
  let look: Look | undefined;
  let options: App['options'] | undefined;
  const drawTyping = createTypingDrawing();
  const tokens = createRowTokens();
  const canvas = new Canvas({
    put: (text) => terminal.write(text),
    terminal: terminal.size,
    frame: toFrameSize(terminal.size),
    tokens,
  });
  return { canvas, tokens, toLook, setRows, resize };

  function toLook(app: App): Look {
    const isSame = app.options.theme === options?.theme && app.options.ascii === options.ascii;
    if (look === undefined || !isSame) look = createLook(app.options, depth);
    options = app.options;
    return look;
  }

  function setRows(app: App): TypingFrame | undefined {
    if (app.screen !== 'typing' || isTooSmall(app.size) || isPlain(app)) return undefined;
    const frame = drawTyping(toLook(app), app);
    tokens.setLive(frame.flatMap(({ rows }) => rows));
    return frame;
  }

  function resize(terminalSize: Size): Size {
    const size = toFrameSize(terminalSize);
    canvas.resize(terminalSize, size);
    return size;
  }
}

function toFrameSize({ columns, rows }: Size): Size {
  return { columns: Math.min(columns, largestFrame.columns), rows: Math.min(rows, largestFrame.rows) };
}
