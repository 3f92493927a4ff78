import { PassThrough } from 'node:stream';
import { render } from 'ink';
import { createLook, type Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import { Canvas } from '../terminal/canvas.ts';
import { createRowTokens } from '../terminal/row-tokens.ts';
import type { Size } from '../terminal/size.ts';
import type { Terminal } from '../terminal/terminal.ts';
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

/** Room for long words in large letters; what is further apart could no longer be seen at one glance. */
const largestFrame: Size = { columns: 160, rows: 48 };

export function createStage(terminal: Terminal, options: StageOptions): Stage {
  let shown: App | undefined;
  let look: Look | undefined;
  let generation = 0;
  const tokens = createRowTokens();
  const canvas = new Canvas({
    put: (text) => terminal.write(text),
    terminal: terminal.size,
    frame: toFrameSize(terminal.size),
    tokens,
  });
  // `debug` makes Ink hand over every frame whole and at once, without its own throttling, erasing and CI detection;
  // the canvas does what is left to do. Keys have their own way, so Ink's input is a stream that stays silent.
  const ink = render(null, {
    stdout: canvas as unknown as NodeJS.WriteStream,
    stderr: canvas as unknown as NodeJS.WriteStream,
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  ink.waitUntilExit().catch(options.onError);

  return {
    draw(app) {
      if (app === shown) return;
      if (look === undefined || isOtherLook(app, shown)) look = createLook(app.options, options.depth);
      shown = app;
      if (tokens.renew()) {
        canvas.forgetTokens();
        generation += 1; // drawn from nothing, for what React remembers holds tokens of before
      }
      ink.rerender(
        <RowTokensContext value={tokens}>
          <Root key={generation} look={look} app={app} />
        </RowTokensContext>,
      );
    },
    repaint: () => canvas.repaint(),
    resize(terminalSize) {
      const size = toFrameSize(terminalSize);
      canvas.resize(terminalSize, size);
      return size;
    },
    close() {
      ink.unmount();
    },
  };
}

function toFrameSize({ columns, rows }: Size): Size {
  return { columns: Math.min(columns, largestFrame.columns), rows: Math.min(rows, largestFrame.rows) };
}

function isOtherLook(app: App, shown: App | undefined): boolean {
  return app.options.theme !== shown?.options.theme || app.options.ascii !== shown?.options.ascii;
}
