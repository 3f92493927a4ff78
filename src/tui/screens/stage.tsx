import { PassThrough } from 'node:stream';
import { type Instance, render } from 'ink';
import type { ReactNode } from 'react';
import type { TypingFrame } from '../draw/typing-frame.ts';
import type { App } from '../state/app-state.ts';
import type { Canvas } from '../terminal/canvas.ts';
import type { Size } from '../terminal/size.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type Board, createBoard } from './board.ts';
import { RowTokensContext } from './lines.tsx';
import { Root } from './root.tsx';

/** Draws the state of the app on the terminal. */
export interface Stage {
  draw(app: App): void;
  /** Draws everything again: the screen may have been spoilt. */
  repaint(): void;
  /** The terminal has another size; gives back what there is to draw on from now on. */
  resize(terminalSize: Size): Size;
  close(): void;
}

export interface StageOptions {
  /** Bits per colour that the terminal shows; 1 for none. */
  readonly depth: number;
  readonly onError: (error: unknown) => void;
}

export function createStage(
  terminal: Terminal,
  { depth, onError }: StageOptions,
  board: Board = createBoard(terminal, depth),
): Stage {
  const { canvas } = board;
  const layout = createLayout(board, onError);
  let shown: App | undefined;
  let frame: TypingFrame | undefined;

  return {
    draw(app) {
      if (app === shown) return;
      const before = { frame, size: shown?.size };
      shown = app;
      frame = board.setRows(app);
      // Most keys change what rows say and not where they are: Ink has nothing to lay out then.
      if (hasSameLayout(before.frame, frame) && app.size.rows === before.size?.rows) canvas.update();
      else layout.show(app, frame);
    },
    repaint: () => canvas.repaint(),
    resize: board.resize,
    close: () => layout.close(),
  };
}

interface Layout {
  show(app: App, frame: TypingFrame | undefined): void;
  close(): void;
}

/** Has Ink lay the screens out, from the first one on. */
function createLayout({ canvas, tokens, toLook }: Board, onError: (error: unknown) => void): Layout {
  let ink: Instance | undefined;
  let generation = 0;

  return {
    show(app, frame) {
      if (tokens.renew()) {
        canvas.forgetTokens();
        generation += 1; // drawn from nothing, for what React remembers holds tokens of before
      }
      const screen = (
        <RowTokensContext value={tokens}>
          <Root key={generation} look={toLook(app)} app={app} frame={frame} />
        </RowTokensContext>
      );
      if (ink === undefined) {
        ink = startInk(screen, canvas);
        ink.waitUntilExit().catch(onError);
      } else ink.rerender(screen);
    },
    close() {
      ink?.unmount();
    },
  };
}

/**
 * `debug` makes Ink hand over every frame whole and at once, without its own throttling, erasing and CI detection; the canvas does
 * what is left to do. Keys have their own way, so Ink's input is a stream that stays silent.
 */
function startInk(screen: ReactNode, canvas: Canvas): Instance {
  return render(screen, {
    stdout: canvas as unknown as NodeJS.WriteStream,
    stderr: canvas as unknown as NodeJS.WriteStream,
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
}

function hasSameLayout(before: TypingFrame | undefined, after: TypingFrame | undefined): boolean {
  return (
    before !== undefined &&
    after !== undefined &&
    before.length === after.length &&
    before.every(({ gap, rows }, at) => gap === after[at]?.gap && rows.length === after[at]?.rows.length)
  );
}
