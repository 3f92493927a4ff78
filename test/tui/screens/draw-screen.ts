import { createInk } from '../../../src/tui/ink-page.tsx';
import { createLook } from '../../../src/tui/look/look.ts';
import { pageOf } from '../../../src/tui/screen.ts';
import type { State } from '../../../src/tui/state/state.ts';

/** The rows of a screen as Ink lays them out. @param depth bits per colour; 1: none */
export function drawScreen(state: State, columns = 80, rows = 24, depth = 1): readonly string[] {
  let drawn: readonly string[] = [];
  const ink = createInk({
    onRows: (all) => {
      drawn = all;
    },
    onError: (error) => {
      throw error;
    },
  });
  const size = { columns, rows };
  const { screen } = state;
  if (screen !== 'typing')
    ink.show(pageOf(createLook(state.options, depth), { ...state, size }, screen), size);
  ink.close();
  return drawn;
}
