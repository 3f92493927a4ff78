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
export function createOpeningStage(board: Board, { load, onError }: OpeningStageOptions): Stage {
  const { canvas, resize } = board;
  let state: OpeningState = { phase: 'rows', latest: undefined, isLoading: false };

  return {
    draw(app) {
      if (state.phase === 'closed') return;
      if (state.phase === 'open') return state.stage.draw(app);
      state = { ...state, latest: app };
      const hasRows = drawRows(board, app);
      if (!hasRows || app.round !== undefined) void open();
    },
    repaint: () => canvas.repaint(),
    resize,
    close() {
      if (state.phase === 'open') state.stage.close();
      state = { phase: 'closed' };
    },
  };

  async function open(): Promise<void> {
    if (state.phase !== 'rows' || state.isLoading) return;
    state = { ...state, isLoading: true };
    try {
      goOn(await load());
    } catch (error) {
      onError(error);
    }
  }

  function goOn(stage: Stage): void {
    if (state.phase === 'rows') {
      const { latest } = state;
      state = { phase: 'open', stage };
      if (latest !== undefined) stage.draw(latest);
    } else stage.close();
  }
}

/** The rows of the typing screen until the stage of all screens is open. Immutable. */
type OpeningState =
  | { readonly phase: 'rows'; readonly latest: App | undefined; readonly isLoading: boolean }
  | { readonly phase: 'open'; readonly stage: Stage }
  | { readonly phase: 'closed' };

/** Gives back whether the state has rows that can be drawn without Ink. */
function drawRows({ canvas, tokens, setRows }: Board, app: App): boolean {
  const frame = setRows(app);
  if (frame !== undefined) canvas.write(toLines(frame, tokens));
  return frame !== undefined;
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
