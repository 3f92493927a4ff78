import { Spacer } from 'ink';
import { drawKeyHints } from '../draw/key-hints.ts';
import type { Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import { toLongestScroll, toReadingRoom, toReadingRows } from '../text/reading.ts';
import { Line, Lines, Screen } from './lines.tsx';

/** Text from top to bottom, without any drawing; longer than the screen, it scrolls. */
export function ReadingScreen({ look, app }: { readonly look: Look; readonly app: App }) {
  const { size } = app;
  const first = Math.min(app.scroll, toLongestScroll(app));
  const [title = '', ...text] = toReadingRows(app) ?? [];
  const rows = [look.paint('strong', title), ...text].slice(first, first + toReadingRoom(app));
  return (
    <Screen size={size}>
      <Lines rows={rows} />
      <Spacer />
      <Line text={drawKeyHints(look, toHints(app), size.columns - 2)} />
    </Screen>
  );
}

function toHints(app: App): [string, string][] {
  const leave: [string, string][] =
    app.screen === 'results'
      ? [
          ['Enter', 'next round'],
          ['m', 'missed words'],
          ['Esc', 'leave'],
        ]
      : [['Esc', 'back']];
  return toLongestScroll(app) > 0 ? [...leave, ['Down', 'read on']] : leave;
}
