import { describeUsage, runCampaign } from './http/campaign.ts';

/** `npm run fuzz -- [count] [seed]`, or `npm run fuzz -- --replay SEED:INDEX` for a single case. With TYPEBADGE_STORE, on that store. */
const [first = '100000', second = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const [seed, from] = first === '--replay' ? second.split(':').map(Number) : [Number(second), 0];
const count = first === '--replay' ? 1 : Number(first);
if (!(count >= 1 && Number(seed) >= 0 && Number(from) >= 0))
  throw new Error('Give a count of requests and a seed, both whole numbers, or --replay SEED:INDEX.');

process.stdout.write(`${count} requests, seed ${seed}\n`);
const onProgress = (done: number) => process.stderr.write(`${done} done\n`);
const report = await runCampaign({ count, seed: Number(seed), from: Number(from), onProgress });
const statuses = [...report.statuses]
  .sort(([a], [b]) => a - b)
  .map(([status, times]) => `${status}: ${times}`);
const lines = [
  ...report.failures.map((failure) => `FAULT ${failure}`),
  `${report.seconds.toFixed(0)} s, ${(count / report.seconds).toFixed(0)} connections a second`,
  `statuses: ${statuses.join(', ')}`,
  ...report.usage.map(
    ({ name, warm, end }) =>
      `${name}: ${describeUsage(warm)} after the first tenth, ${describeUsage(end)} at the end`,
  ),
  report.failures.length === 0 ? 'no fault found' : `${report.failures.length} faults`,
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = report.failures.length > 0 ? 1 : 0;
