import { type CampaignReport, type Failure, runCampaign } from './http/campaign.ts';

/** `npm run fuzz -- [count] [seed]`, or `npm run fuzz -- --replay SEED:INDEX` for a single case. */
const [first = '100000', second = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const [, replaySeed, replayIndex] =
  /^--replay[ =]?(\d+):(\d+)$/.exec(first === '--replay' ? `${first} ${second}` : first) ?? [];
const options =
  replaySeed === undefined
    ? { count: Number(first), seed: Number(second) }
    : { count: 1, seed: Number(replaySeed), from: Number(replayIndex) };
if (!(options.count >= 1 && options.seed >= 0))
  throw new Error('Give a count of requests and a seed, both whole numbers, or --replay SEED:INDEX.');

process.stdout.write(`${options.count} requests, seed ${options.seed}\n`);
const onProgress = (done: number) => process.stderr.write(`${done} done\n`);
const report = await runCampaign({ ...options, onProgress });
print(report);
process.exitCode = report.failures.length > 0 ? 1 : 0;

function print({ failures, statuses, outcomes, seconds, usage }: CampaignReport): void {
  for (const failure of failures) process.stdout.write(toText(failure));
  const list = (counts: ReadonlyMap<unknown, number>) =>
    [...counts]
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      .map(([key, times]) => `${key}: ${times}`)
      .join(', ');
  const lines = [
    `${seconds.toFixed(0)} s, ${(options.count / seconds).toFixed(0)} connections a second`,
    `statuses: ${list(statuses)}`,
    `connections: ${list(outcomes)}`,
    ...usage.map(
      ({ name, warm, end }) =>
        `${name}: ${warm.memory} MB, ${warm.files} files after the first tenth; ${end.memory} MB, ${end.files} files at the end`,
    ),
    failures.length === 0 ? 'no fault found' : `${failures.length} faults`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function toText({ fuzzCase, what, sent, received }: Failure): string {
  if (fuzzCase === undefined) return `FAULT ${what}\n`;
  const { seed, index, server, ending } = fuzzCase;
  return `FAULT ${what}\n  replay: --replay ${seed}:${index} (server ${server}, ${ending})\n  sent: ${JSON.stringify(sent.slice(0, 3_000))}\n  received: ${JSON.stringify(received.slice(0, 1_500))}\n`;
}
