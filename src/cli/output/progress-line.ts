import type { TextOut } from './text-out.ts';

/** Milliseconds between two drawings, and cells of the bar. */
const redrawAfter = 100;
const barCells = 24;

export interface ProgressLine<Step extends string> {
  /** Called with how many are done of how many. */
  onProgress(step: Step, done: number, total: number): void;
  /** Takes the line away. */
  end(): void;
}

/**
 * A bar on a terminal that says how far it is, drawn again in place; elsewhere nothing.
 *
 * @param patience milliseconds after which it appears. Default: 0
 */
export function createProgressLine<Step extends string>(
  out: TextOut,
  isWanted: boolean,
  patience = 0,
): ProgressLine<Step> {
  if (!isWanted || out.isTTY !== true) return { onProgress: () => undefined, end: () => undefined };
  let next = performance.now() + patience;
  let isDrawn = false;
  return {
    onProgress(step, done, total) {
      const now = performance.now();
      if (now < next) return;
      next = now + redrawAfter;
      isDrawn = true;
      // A total that was counted ahead may be a little off.
      const most = Math.max(done, total);
      const count = `${done.toLocaleString('en')} of ${most.toLocaleString('en')}`;
      out.write(`\r\u001B[K${step.padEnd(8)} ${toBar(done, most)} ${count}`);
    },
    end() {
      if (isDrawn) out.write('\r\u001B[K');
    },
  };
}

function toBar(done: number, total: number): string {
  const full = total === 0 ? barCells : Math.floor((done / total) * barCells);
  return '█'.repeat(full) + '░'.repeat(barCells - full);
}
