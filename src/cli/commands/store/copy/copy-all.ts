import { createProgressLine } from '../../../output/progress-line.ts';
import type { CommandIo } from '../../../program/command-io.ts';
import type { Report, ReportOptions } from '../../../program/report.ts';
import type { Copied, CopyStep } from '../sides/copied.ts';
import type { DataSide, DataTarget } from '../sides/data-side.ts';
import type { KeptUnread } from '../sides/unread-data.ts';
import { type CopyResult, copyData } from './copy-data.ts';

export interface Copying {
  readonly source: DataSide;
  readonly target: DataTarget;
  readonly copyCounts: () => Promise<Copied>;
  /** Keeps what could not be read of the source. */
  readonly keepUnread: () => Promise<readonly KeptUnread[]>;
  readonly options: ReportOptions;
  readonly io: CommandIo;
}

/** Copies everything from one side to the other. Exit code 1 if something could not be copied. */
export async function copyAll({
  source,
  target,
  copyCounts,
  keepUnread,
  options,
  io,
}: Copying): Promise<Report> {
  const line = createProgressLine<CopyStep>(io.err, options.json !== true);
  try {
    const { content, sessions, rounds, leftOut, kept } = await copyData(source, target, line.onProgress);
    const counters = await copyCounts();
    line.onProgress('counters', counters.found, counters.found);
    const unread = await keepUnread();
    const isWhole = leftOut.withoutRoom === 0 && unread.length === 0;
    return {
      value: {
        ...{ from: source.name, to: target.name, content, sessions, rounds, counters },
        ...{ leftOut, kept, unread },
      },
      exitCode: isWhole ? 0 : 1,
      toText: (paint) =>
        [
          `${isWhole ? `${paint.good('✔')} Copied` : `${paint.bad('✘')} Copied in part`} from ${source.name} to ${target.name}:`,
          `  content   ${toText(content)}`,
          `  sessions  ${toText(sessions, leftOut.forgottenSessions)}`,
          `  rounds    ${toText(rounds, leftOut.forgotten + leftOut.expired + leftOut.withoutRoom)}`,
          `  counters  ${toText(counters)}`,
        ].join('\n'),
      warnings: [...kept, ...toLeftOutText(leftOut), ...unread.map(toUnreadText)],
    };
  } finally {
    line.end();
  }
}

function toText({ found, added }: Copied, leftOut = 0): string {
  const present = found - added - leftOut;
  const others = present === 0 ? '' : `, ${leftOut === 0 ? 'the others' : present} were there already`;
  return `${added} of ${found} added${others}${leftOut === 0 ? '' : `, ${leftOut} left out`}`;
}

function toLeftOutText({
  forgotten,
  forgottenSessions,
  expired,
  withoutRoom,
}: CopyResult['leftOut']): string[] {
  return [
    ...(forgotten + forgottenSessions > 0
      ? [
          `left out, because their players have had their data deleted since: ${forgotten} rounds and ${forgottenSessions} sessions`,
        ]
      : []),
    ...(expired > 0 ? [`left out, because they are older than --keep-rounds: ${expired} rounds`] : []),
    ...(withoutRoom > 0
      ? [
          `left out, because all rounds together would take more of the store than --round-quota allows: ${withoutRoom} rounds. Run import again with the --round-quota of the servers, or raise it for all of them`,
        ]
      : []),
  ];
}

function toUnreadText({ what, problem, keys, file }: KeptUnread): string {
  return `left out, because it cannot be read (${problem}): ${what}. A copy is in ${file}; in the store it stays at ${keys.join(' and ')}`;
}
