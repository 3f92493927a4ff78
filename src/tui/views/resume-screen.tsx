import { Box, Spacer } from 'ink';
import type { LeftRun } from '../app/app-state.ts';
import { toRows } from '../drawing/text-layout.ts';
import type { Look } from '../screen/look.ts';
import type { Size } from '../screen/size.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';

const hints = [
  ['Enter', 'go on with it'],
  ['Tab', 'new round'],
  ['Esc', 'leave'],
] as const;

/** Asks what to do with a round that an earlier client left in the middle. */
export function ResumeScreen(props: { readonly look: Look; readonly left: LeftRun; readonly size: Size }) {
  const { look, left, size } = props;
  const width = size.columns - 2;
  const { run } = left;
  const question = `A round from ${toTime(left.created)} was cut off at word ${run.wordIndex + 1} of ${run.words.length}. Nothing of it is lost.`;
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingX={1}>
      <Line text={look.paint('strong', 'typebadge')} />
      <Spacer />
      <Lines rows={toRows(question, width)} />
      <Spacer />
      <Line text={drawKeyHints(look, hints, width)} />
    </Box>
  );
}

function toTime(unix: number): string {
  return new Date(unix).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
