import { wrapped } from '../kit/terminal-text.ts';
import type { inkRows } from './ink-page.tsx';
import { createLook, type Look } from './look/look.ts';
import { drawReading, isPlain } from './screens/reading.ts';
import type { State } from './state/state.ts';
import { createPainter, isTooSmall, minSize, type Size } from './terminal/painter.ts';
import { screens } from './update.ts';
import { type Page, spreadRows } from './view/page.ts';

interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly size: Size;
  /** Bits per colour that the terminal shows; 1 for none. */
  readonly depth: number;
  readonly onError: (error: unknown) => void;
}

/** How long after the first words Ink is loaded, ms: the typist is still reading them. */
const loadAfter = 50;

/**
 * Draws the state on the terminal. The typing screen is drawn as rows at once. Ink, whose loading would take
 * a third of the start, draws all others; it is loaded after the first words, or as soon as another screen
 * is opened. Both pass their rows to one painter.
 */
export function createScreen(options: ScreenOptions) {
  const { write, depth, onError } = options;
  const painter = createPainter(write, options.size);
  let look: Look | undefined;
  let lookOptions: State['options'] | undefined;
  let latest: State | undefined;
  let layOut: typeof inkRows | undefined;
  let loadTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  return {
    draw(state: State): void {
      if (isClosed || state === latest) return;
      latest = state;
      drawLatest();
    },
    repaint: painter.repaint,
    resize: painter.resize,
    close(): void {
      isClosed = true;
      clearTimeout(loadTimer);
    },
  };

  function drawLatest(): void {
    const state = latest;
    if (state === undefined) return;
    if (isTooSmall(state.size)) painter.paint(tooSmallRows(state.size));
    else if (state.screen === 'typing') {
      painter.paint(spreadRows(pageOf(lookOf(state), state), state.size.rows));
      if (state.round !== undefined) loadTimer ??= setTimeout(load, loadAfter);
    } else if (layOut === undefined) load();
    else painter.paint(layOut(pageOf(lookOf(state), state), state.size));
  }

  function lookOf({ options }: State): Look {
    if (look === undefined || options !== lookOptions) look = createLook(options, depth);
    lookOptions = options;
    return look;
  }

  /** Harmless if called again: a module is loaded once. */
  function load(): void {
    import('./ink-page.tsx')
      .then(({ inkRows }) => {
        layOut = inkRows;
        if (!isClosed && latest?.screen !== 'typing') drawLatest();
      })
      .catch(onError);
  }
}

export function pageOf(look: Look, state: State): Page {
  return isPlain(state) ? drawReading(look, state) : screens[state.screen].draw(look, state);
}

function tooSmallRows({ columns, rows }: Size): string[] {
  const needed = `play needs ${minSize.columns} x ${minSize.rows}.`;
  const text = `${columns} x ${rows} is too small. ${needed} Enlarge the window; nothing is lost.`;
  return wrapped(text, columns).slice(0, rows);
}
