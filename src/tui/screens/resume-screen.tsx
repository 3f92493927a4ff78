import { drawKeyHints } from '../draw/key-hints.ts';
import type { Look } from '../look/look.ts';
import type { LeftRound } from '../state/app-state.ts';
import type { Size } from '../terminal/size.ts';
import { toLeftPlace } from '../text/place-text.ts';
import { toGaps, toRows } from '../text/text-layout.ts';
import { Gap, Line, Lines, Screen } from './lines.tsx';

const hints = [
  ['Enter', 'continue'],
  ['Tab', 'new round'],
  ['Esc', 'leave'],
] as const;

/** Rows of the title and the hints. */
const frameRows = 2;

interface ResumeProps {
  readonly look: Look;
  readonly left: LeftRound;
  /** What is practised after it; empty for the usual. */
  readonly next: string;
  readonly size: Size;
}

/** Asks what to do with a round that an earlier client left in the middle. */
export function ResumeScreen({ look, left, next, size }: ResumeProps) {
  const width = size.columns - 2;
  const { round, unsent } = left;
  const begun = toTime(unsent.head.created);
  const question = `A round from ${begun} was cut off ${toLeftPlace(round)}. Nothing was lost.`;
  const rows = [
    ...toRows(question, width),
    ...(next === '' ? [] : toRows(`After it, or at once with Tab: ${next}.`, width)),
  ];
  const [above = 0, below = 0] = toGaps(size.rows - frameRows - rows.length, 2);
  return (
    <Screen size={size}>
      <Line text={look.paint('strong', 'typebadge')} />
      <Gap rows={above} />
      <Lines rows={rows} />
      <Gap rows={below} />
      <Line text={drawKeyHints(look, hints, width)} />
    </Screen>
  );
}

function toTime(unix: number): string {
  return new Date(unix).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
