import type { TextOut } from '../../output/text-out.ts';
import type { OnProgress } from './copied.ts';

/** Milliseconds between two drawings, and cells of the bar. */
const redrawAfter = 100;
const barCells = 24;

/** A bar on a terminal that says how far it is, drawn again in place; elsewhere nothing. `end` takes it away. */
export function createProgressLine(out: TextOut, isWanted: boolean): { onProgress: OnProgress; end(): void } {
  if (!isWanted || out.isTTY !== true) return { onProgress: () => undefined, end: () => undefined };
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    onProgress(step, done, total) {
      const now = performance.now();
      if (now - drawn < redrawAfter) return;
      drawn = now;
      // A total that was counted ahead may be a little off.
      const most = Math.max(done, total);
      const count = `${done.toLocaleString('en')} of ${most.toLocaleString('en')}`;
      out.write(`\r\u001B[K${step.padEnd(8)} ${toBar(done, most)} ${count}`);
    },
    end: () => out.write('\r\u001B[K'),
  };
}

function toBar(done: number, total: number): string {
  const full = total === 0 ? barCells : Math.floor((done / total) * barCells);
  return '█'.repeat(full) + '░'.repeat(barCells - full);
}
