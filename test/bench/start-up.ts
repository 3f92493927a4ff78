import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageFile } from '../../src/kit/package-files.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { roundLine } from '../../src/server/stores/stored-round.ts';
import { newStoredRound, toRoundId, withRounds } from '../server/stores/stored-rounds.ts';
import { freePort } from '../support/redis/redis-process.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient } from '../support/typing-client.ts';
import { cleanEnvironment, openPty, startPlay } from './pty.ts';
import { atMost, countText, median, type Report, ratioText, spread, toTable } from './report.ts';
import { readMemory } from './serving.ts';

const program = packageFile('bin', 'typebadge.js');
const content = packageFile('content', 'sample');

/** How long typebadge takes to start, as multiples of an empty Node program, and what it takes on the disk. */
export async function benchStartUp(rounds: number): Promise<Report> {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  const env = cleanEnvironment(home);
  const pty = openPty();
  const run = (args: readonly string[]) => spawnSync(process.execPath, args, { stdio: 'ignore', env });
  const starts = [
    { name: 'node -e 0', limit: 1, time: () => timeOf(() => run(['-e', '0'])) },
    { name: 'typebadge --version', limit: 1.5, time: () => timeOf(() => run([program, '--version'])) },
    { name: 'first 200 from /health', limit: 5, time: () => timeFirstAnswer(home) },
    {
      name: 'play, to the first words',
      limit: 8,
      time: async () => {
        const time = await timeOf(async () => {
          await startPlay(pty, home, '--words 30', [80, 24]);
          await pty.see('word 1 of 30');
        });
        await pty.stop();
        return time;
      },
    },
  ].map((start) => ({ ...start, times: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { time, times } of starts) {
      const elapsed = await time();
      if (round > 0) times.push(elapsed); // the first round fills the disk cache
    }
  }
  const empty = median(starts[0]?.times ?? []);
  const packing = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [archive] = JSON.parse(
    execFileSync('npm', packing, { cwd: packageFile(), stdio: 'pipe' }).toString(),
  );
  const ratios = starts.map(({ times }) => median(times) / empty);
  const text = [
    'In a clean environment: PATH, HOME, LANG and TERM only.',
    toTable(
      ['', 'ms', '± %', 'of node -e 0'],
      starts.map(({ name, times }, at) => [
        ...[name, median(times).toFixed(0), spread(times).toFixed(1), ratioText(ratios[at] ?? 0)],
      ]),
    ),
    `The package has ${(archive.size / 1e6).toFixed(1)} MB packed.`,
  ].join('\n\n');
  const aims = starts
    .map(({ name, limit }, at) => atMost(`${name}, of \`node -e 0\``, ratios[at] ?? 0, limit, '×'))
    .slice(1);
  return { text, aims: [...aims, atMost('installed package', archive.unpackedSize / 1e6, 6, 'MB')] };
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds from the start of `typebadge serve` to the first 200 from `/health`. */
async function timeFirstAnswer(data: string): Promise<number> {
  const port = await freePort();
  const args = [program, 'serve', '--port', String(port), '--content', content, '--data', data];
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: cleanEnvironment(data) });
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) {
    if (child.exitCode !== null) throw new Error(`typebadge serve ended with ${child.exitCode}`);
    await sleep(2);
  }
  const elapsed = performance.now() - start;
  child.kill();
  await once(child, 'exit');
  return elapsed;
}

/** How a start and memory grow with the finished rounds of a player. */
export async function benchGrowth(repeats: number, amounts = [0, 1_000, 10_000, 100_000]): Promise<Report> {
  const rows: string[][] = [];
  const starts = new Map<number, number>();
  for (const amount of amounts) {
    const dir = await mkdtemp(join(tmpdir(), 'rounds-'));
    await putManyRounds(dir, amount);
    await weighServer(dir); // derives what is kept beside the rounds
    const memory = await weighServer(dir);
    const times: number[] = [];
    for (let repeat = 0; repeat < repeats; repeat += 1) times.push(await timeFirstAnswer(dir));
    starts.set(amount, median(times));
    rows.push([countText(amount), median(times).toFixed(0), spread(times).toFixed(1), memory.toFixed(0)]);
  }
  const most = amounts.at(-1) ?? 0;
  const ratio = (starts.get(most) ?? Number.NaN) / (starts.get(0) ?? Number.NaN);
  return {
    text: toTable(['rounds', 'start, ms', '± %', 'memory after the history, MB'], rows),
    aims: [atMost(`start with ${countText(most)} rounds, of one with none`, ratio, 1.5, '×')],
  };
}

/** Starts a server on a data folder, asks for its history, and says how many MB are resident then. */
async function weighServer(data: string): Promise<number> {
  const { child, port, finished } = await startServeProcess(['--content', content, '--data', data]);
  const client = createTypingClient(port);
  const id = await client.createSession();
  await client.history(id);
  const memory = readMemory(child.pid ?? 0);
  await client.deleteSession(id);
  child.kill('SIGTERM');
  await finished;
  return memory;
}

/** A data folder with so many finished rounds and one more, which is added as usual, so that what is derived is there. */
export async function putManyRounds(dir: string, count: number): Promise<void> {
  const round = newStoredRound('', ['seven', 'quiet', 'badgers', 'type', 'until', 'morning']);
  const step = 1_000;
  const records = createFileRecords({ dir: recordsFolder(dir) });
  for (let at = 0; at < count; at += step) {
    const ids = Array.from({ length: step }, (_, offset) => toRoundId(at + offset));
    const push = ids.map((id) => roundLine({ ...round, id }));
    await records.commit('rounds/local', { put: { epoch: 'made' }, push });
  }
  await records.close();
  await withRounds(dir, (rounds) => rounds.add('local', { ...round, id: toRoundId(count) }));
}
