import { missedText } from '../round/missed-words.ts';
import { nextDay } from '../state/history-view.ts';
import type { ScreenProps, State } from '../state/state.ts';
import { daysKey, historyKeys, type KeyHint, readOnKey, resultsKeys } from './keys.ts';
import { drawKeys, Page, pageMargin } from './page.tsx';
import { maxScroll, readingRows } from './reading-rows.ts';

/** Help, and what is plain: text from top to bottom, which scrolls if it is longer than the screen. */
export function ReadingScreen({ look, state }: ScreenProps) {
  const { size, scroll } = state;
  const width = size.columns - pageMargin;
  const first = Math.min(scroll, maxScroll(state));
  const [title = '', ...text] = readingRows(state, width);
  const rows = [look.paint('strong', title), ...text].slice(first);
  return <Page size={size} top={rows} bottom={[drawKeys(look, keysOf(state), width)]} />;
}

/** That there is more to read is named before what a narrow window has no room for. */
function keysOf(state: State): KeyHint[] {
  const more = maxScroll(state) > 0 ? [readOnKey] : [];
  if (state.screen === 'history') return [historyKeys.back, ...more, daysKey(nextDay(state.historyView.day))];
  if (state.screen !== 'results') return [historyKeys.back, ...more];
  const { next, missed, leave, again } = resultsKeys;
  const hasMissed = state.outcome !== undefined && missedText(state.outcome.round) !== '';
  return [next, ...more, again, ...(hasMissed ? [missed] : []), leave];
}
