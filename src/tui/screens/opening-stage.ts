import type { TypingFrame } from '../draw/typing-frame.ts';
import type { App } from '../state/app-state.ts';
import type { RowTokens } from '../terminal/row-tokens.ts';
import type { Board } from './board.ts';
import type { Stage } from './stage.tsx';

/** What the stage of the other screens needs to be loaded. */
export interface OpeningStageOptions {
  /** Loads Ink, and the stage that it lays out on the same board. */
  readonly load: () => Promise<Stage>;
  readonly onError: (error: unknown) => void;
}

/**
 * The stage from the first moment on. The rows of the typing screen need nothing but the board, so the first words do not wait
 * for Ink, which takes a third of a start to load. It is loaded behind them, or as soon as another screen is wanted, and owns the screen
 * from then on: it finds the very rows there that it lays out itself.
 */
export function createOpeningStage(
  { canvas, tokens, setRows, resize }: Board,
  { load, onError }: OpeningStageOptions,
): Stage {
  let stage: Stage | undefined;
  let latest: App | undefined;
  let isLoading = false;
  let isClosed = false;

  return {
    draw(app) {
      latest = app;
      if (stage !== undefined) return stage.draw(app);
      const frame = setRows(app);
      if (frame !== undefined) canvas.write(toLines(frame, tokens));
      if (frame === undefined || app.round !== undefined) void open();
    },
    repaint: () => canvas.repaint(),
    resize,
    close() {
      isClosed = true;
      stage?.close();
    },
  };

  async function open(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    try {
      const loaded = await load();
      if (isClosed) return loaded.close();
      stage = loaded;
      if (latest !== undefined) stage.draw(latest);
    } catch (error) {
      onError(error);
    }
  }
}

/** The lines that Ink would make of it: one column in, a character for each row. */
function toLines(frame: TypingFrame, tokens: RowTokens): string {
  let count = 0;
  const lines = frame.flatMap(({ gap, rows }) => {
    const from = count;
    count += rows.length;
    return [...Array<string>(gap).fill(''), ...rows.map((_, at) => ` ${tokens.toLiveToken(from + at)}`)];
  });
  return lines.join('\n');
}
