import type { TextOut } from '../../output/text-out.ts';
import type { OnProgress } from './copy-data.ts';

/** Milliseconds between two drawings. */
const redrawAfter = 100;

/** A line on a terminal that says how far it is, drawn again in place; elsewhere nothing. `end` takes it away. */
export function createProgressLine(out: TextOut, isWanted: boolean): { onProgress: OnProgress; end(): void } {
  if (!isWanted || out.isTTY !== true) return { onProgress: () => undefined, end: () => undefined };
  let drawn = Number.NEGATIVE_INFINITY;
  const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧'];
  let frame = 0;
  return {
    onProgress(what, done) {
      const now = performance.now();
      if (now - drawn < redrawAfter) return;
      drawn = now;
      frame = (frame + 1) % frames.length;
      out.write(`\r\u001B[K${frames[frame]} ${what}: ${done.toLocaleString('en')}`);
    },
    end: () => out.write('\r\u001B[K'),
  };
}
