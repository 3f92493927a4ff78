import { Spacer } from 'ink';
import { drawKeyHints } from '../draw/key-hints.ts';
import type { Look } from '../look/look.ts';
import { toMissedText } from '../round/missed-words.ts';
import type { App } from '../state/app-state.ts';
import { toNextDay } from '../state/history-view.ts';
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

/** That there is more to read is named before what a narrow window has no room for. */
function toHints(app: App): [string, string][] {
  const more: [string, string][] = toLongestScroll(app) > 0 ? [['Down', 'read on']] : [];
  if (app.screen === 'history') return [['Esc', 'back'], ...more, ['d', toNextDay(app.historyView.day)]];
  if (app.screen !== 'results') return [['Esc', 'back'], ...more];
  const hasMissed = app.outcome !== undefined && toMissedText(app.outcome.round) !== '';
  const missed: [string, string][] = hasMissed ? [['m', 'missed words']] : [];
  return [
    ['Enter', 'next round'],
    ...(more.length === 0 ? missed : more),
    ['Esc', 'leave'],
    ...(more.length === 0 ? [] : missed),
  ];
}
