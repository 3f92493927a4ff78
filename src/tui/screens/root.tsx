import { PassThrough, Writable } from 'node:stream';
import { type Instance, render } from 'ink';
import type { ReactNode } from 'react';
import type { ScreenProps, State } from '../state/state.ts';
import { drawKeys, type KeyHint, resultsKeys } from '../view/key-hints.ts';
import { HistoryScreen } from './history.tsx';
import { OptionsScreen, PaletteScreen, ResumeScreen } from './lists.tsx';
import { Page, pageMargin } from './page.tsx';
import { isPlain, maxScroll, readingRows } from './reading-rows.ts';
import { ResultsScreen } from './results.tsx';

interface InkScreensOptions {
  readonly onRows: (rows: readonly string[]) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * `debug` makes Ink pass every frame whole and at once, even if a variable says CI; the painter finds what
 * has changed. Keys do not go through Ink, so its input stays silent.
 */
export function createInkScreens({ onRows, onError }: InkScreensOptions) {
  let ink: Instance | undefined;
  let rows: readonly string[] = [];
  let size = { columns: 80, rows: 24 };
  const output = new Writable({
    decodeStrings: false,
    write(frame: string, _encoding, done) {
      rows = frame.split('\n');
      done();
    },
  });
  Object.defineProperties(output, {
    columns: { get: () => size.columns },
    rows: { get: () => size.rows },
  });

  return {
    /** Draws a screen, and passes all its rows to `onRows`. */
    show(props: ScreenProps): void {
      size = props.state.size;
      const screen = <Root {...props} />;
      if (ink === undefined) {
        ink = render(screen, {
          stdout: output as unknown as NodeJS.WriteStream,
          stderr: output as unknown as NodeJS.WriteStream,
          stdin: new PassThrough() as unknown as NodeJS.ReadStream,
          debug: true,
          exitOnCtrlC: false,
          patchConsole: false,
        });
        ink.waitUntilExit().catch(onError);
      } else {
        output.emit('resize');
        ink.rerender(screen);
      }
      onRows(rows);
    },
    close: () => ink?.unmount(),
  };
}

const screens: Readonly<Record<State['screen'], (props: ScreenProps) => ReactNode>> = {
  results: ResultsScreen,
  options: OptionsScreen,
  history: HistoryScreen,
  palette: PaletteScreen,
  resume: ResumeScreen,
  help: ReadingScreen,
  typing: ReadingScreen, // drawn by the painter, never here
};

function Root(props: ScreenProps) {
  const Screen = isPlain(props.state) ? ReadingScreen : screens[props.state.screen];
  return <Screen {...props} />;
}

/** Help, and what is plain: text from top to bottom, which scrolls if it is longer than the screen. */
function ReadingScreen({ look, state }: ScreenProps) {
  const { size, scroll } = state;
  const width = size.columns - pageMargin;
  const first = Math.min(scroll, maxScroll(state));
  const [title = '', ...text] = readingRows(state, width);
  const rows = [look.paint('strong', title), ...text].slice(first);
  return <Page size={size} blocks={[rows]} bottom={[drawKeys(look, keysOf(state), width)]} />;
}

/** `read on` comes second, because a narrow window drops the last keys. */
function keysOf(state: State): KeyHint[] {
  const [first = ['Esc', 'back'], ...others] = state.screen === 'results' ? resultsKeys(state, false) : [];
  return [first, ...(maxScroll(state) > 0 ? ([['Down', 'read on']] as const) : []), ...others];
}
