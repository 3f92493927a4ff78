import { Fragment } from 'react';
import type { TypingFrame } from '../draw/typing-frame.ts';
import type { Size } from '../terminal/size.ts';
import { Gap, LiveRows, Screen } from './lines.tsx';

interface TypingScreenProps {
  readonly size: Size;
  readonly frame: TypingFrame;
}

/** Where each row of the typing screen is. What the rows say changes with each key, and goes to the canvas by itself. */
export function TypingScreen({ size, frame }: TypingScreenProps) {
  return (
    <Screen size={size}>
      {frame.map(({ gap, rows, isFirm }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
        <Fragment key={at}>
          <Gap rows={gap} />
          <LiveRows from={countRows(frame.slice(0, at))} count={rows.length} isFirm={isFirm} />
        </Fragment>
      ))}
    </Screen>
  );
}

function countRows(parts: TypingFrame): number {
  return parts.reduce((sum, { rows }) => sum + rows.length, 0);
}
