import type { Delay } from '../load.ts';
import type { Recovered } from '../restart-check.ts';
import { type Growth, growthBounds, type QuietPoints } from './growth.ts';
import type { TallyReport } from './tally.ts';

export interface RestartReport {
  readonly name: string;
  /** Seconds from the signal to the end of the process. */
  readonly seconds: number;
  readonly found: Recovered;
}

export interface SoakReport {
  readonly minutes: number;
  readonly seconds: number;
  readonly load: TallyReport;
  readonly quiet: QuietPoints;
  readonly growth: Growth;
  /** Seconds of processor time of the server, and how long it took to use them. */
  readonly cpu: { readonly used: number; readonly of: number };
  readonly delay: Delay;
  readonly restarts: readonly RestartReport[];
  readonly faults: readonly (readonly [string, number])[];
  readonly broken: readonly string[];
}

export function toMarkdown(report: SoakReport): string {
  const { load, quiet, growth, restarts, faults, broken } = report;
  const requests = load.kinds.reduce((sum, { count }) => sum + count, 0);
  const [memoryBefore, memoryAfter] = growth.memory;
  const [heapBefore, heapAfter] = growth.heap;
  const { before, after } = quiet;
  const sections = [
    [
      `# Soak: ${report.minutes} minutes of mixed load`,
      `${requests} requests in ${report.seconds.toFixed(0)} s, ${(requests / report.seconds).toFixed(0)} a second; Node ${process.versions.node}.`,
      `Errors not owed: ${faults.reduce((sum, [, count]) => sum + count, 0)}.`,
    ],
    [
      '| kind | requests | p50 ms | p99 ms | longest ms |\n| --- | ---: | ---: | ---: | ---: |',
      ...load.kinds
        .toSorted((a, b) => b.count - a.count)
        .map(
          ({ kind, count, p50, p99, longest }) =>
            `| ${kind} | ${count} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${longest.toFixed(0)} |`,
        ),
    ],
    [
      '| the server | after warm-up | at the end | may grow by |\n| --- | ---: | ---: | ---: |',
      `| memory under load, MB | ${memoryBefore.toFixed(1)} | ${memoryAfter.toFixed(1)} | ${growthBounds.memory} |`,
      `| memory without load, MB | ${before.memory.toFixed(1)} | ${after.memory.toFixed(1)} | |`,
      `| heap after full collections, MB | ${heapBefore.toFixed(1)} | ${heapAfter.toFixed(1)} | ${growthBounds.heap} |`,
      `| open files but sockets | ${before.files} | ${after.files} | ${growthBounds.files} |`,
      `| sockets | ${before.sockets} | ${after.sockets} | ${growthBounds.sockets} |`,
      `| threads | ${before.threads} | ${after.threads} | ${growthBounds.threads} |`,
    ],
    [
      `Under load, second half: memory ${growth.memoryPerHour.toFixed(1)} MB an hour, heap after full collections ${growth.heapPerHour.toFixed(1)} MB an hour.`,
      `Under load the server used ${report.cpu.used.toFixed(0)} s of a processor in ${report.cpu.of.toFixed(0)} s. The clients' own event loop was late by ${report.delay.p50.toFixed(0)} ms (p50), ${report.delay.p99.toFixed(0)} ms (p99) and ${report.delay.longest.toFixed(0)} ms at most: latencies contain that.`,
      `Sockets under load, on average: ${growth.meanSockets[0].toFixed(0)} in the first half, ${growth.meanSockets[1].toFixed(0)} in the second.`,
    ],
    [
      '| end under load | seconds until ended | sessions compared | acknowledged keys found | later keys, kept of sent | rounds in the journal |\n| --- | ---: | ---: | ---: | ---: | ---: |',
      ...restarts.map(
        ({ name, seconds, found }) =>
          `| ${name} | ${seconds.toFixed(2)} | ${found.sessions} | ${found.keys} | ${found.lateKeysKept} of ${found.lateKeys} | ${found.rounds} |`,
      ),
    ],
    faults.map(([what, count]) => `- ${count} × ${what}`),
    broken.map((sentence) => `- ${sentence}`),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}
