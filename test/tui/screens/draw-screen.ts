import { createLook } from '../../../src/tui/look/look.ts';
import { createInkScreens } from '../../../src/tui/screens/root.tsx';
import type { State } from '../../../src/tui/state/state.ts';

/** The rows of a screen as Ink lays them out. @param depth bits per colour; 1: none */
export function drawScreen(state: State, columns = 80, rows = 24, depth = 1): readonly string[] {
  let drawn: readonly string[] = [];
  const screens = createInkScreens({
    onRows: (all) => {
      drawn = all;
    },
    onError: (error) => {
      throw error;
    },
  });
  screens.show({ look: createLook(state.options, depth), state: { ...state, size: { columns, rows } } });
  screens.close();
  return drawn;
}
