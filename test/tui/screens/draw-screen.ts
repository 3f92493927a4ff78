import { inkRows } from '../../../src/tui/ink-page.tsx';
import { createLook } from '../../../src/tui/look/look.ts';
import { pageOf } from '../../../src/tui/screen.ts';
import type { State } from '../../../src/tui/state/state.ts';
import { spreadRows } from '../../../src/tui/view/page.ts';

/** The rows of a screen, as Ink lays them out if it does. @param depth bits per colour; 1: none */
export function drawScreen(state: State, columns = 80, rows = 24, depth = 1): readonly string[] {
  const size = { columns, rows };
  const page = pageOf(createLook(state.options, depth), { ...state, size });
  return state.screen === 'typing' ? spreadRows(page, rows) : inkRows(page, size);
}
