import { wrapped } from '../../kit/terminal-text.ts';
import type { ScreenProps } from '../state/state.ts';
import { chosenText, leftPlaceText } from '../state/text.ts';
import { drawKeys, type KeyHint } from '../view/key-hints.ts';
import { gapRows, Page, pageMargin } from './page.tsx';

const keys: readonly KeyHint[] = [
  ['Enter', 'continue'],
  ['Tab', 'new round'],
  ['Esc', 'leave'],
];

/** Asks what to do with a round that an earlier run left in the middle. */
export function ResumeScreen({ look, state }: ScreenProps) {
  const { interruptedRound, size, customText, options } = state;
  if (interruptedRound === undefined) return null;
  const width = size.columns - pageMargin;
  const { round } = interruptedRound;
  const begun = new Date(round.startUnix ?? 0).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  // What comes after it; empty for the usual.
  const next = customText?.title ?? chosenText(options);
  const rows = [
    ...wrapped(`A round from ${begun} was cut off ${leftPlaceText(round)}. Nothing was lost.`, width),
    ...(next === '' ? [] : wrapped(`After it, or at once with Tab: ${next}.`, width)),
  ];
  const [above = []] = gapRows(size.rows - 2 - rows.length, 2);
  const top = [look.paint('strong', 'typebadge'), ...above, ...rows];
  return <Page size={size} top={top} bottom={[drawKeys(look, keys, width)]} />;
}
