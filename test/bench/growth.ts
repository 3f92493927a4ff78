// How a start and memory grow with the finished rounds of a player. Needs `node build.mjs` before.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../src/kit/package-files.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient } from '../support/typing-client.ts';
import { putManyRounds } from './full-folders.ts';
import { type Report, toCount, toTable } from './report.ts';
import { readMemory } from './serving.ts';
import { timeFirstAnswer } from './start-up.ts';
import { median, spread } from './statistics.ts';

const amounts = [0, 1_000, 10_000, 100_000];

/** @param repeats how often each start is measured; every figure is a median */
export async function benchGrowth(repeats: number): Promise<Report> {
  const root = await mkdtemp(join(tmpdir(), 'typebadge-growth-'));
  try {
    const rows: { amount: number; starts: number[]; memory: number }[] = [];
    for (const amount of amounts) {
      const dir = join(root, String(amount));
      await putManyRounds(dir, amount);
      await weighServer(dir); // derives what is kept beside the rounds
      const row = { amount, starts: [] as number[], memory: await weighServer(dir) };
      for (let repeat = 0; repeat < repeats; repeat += 1) row.starts.push(await timeFirstAnswer(dir));
      rows.push(row);
    }
    const startWith = (amount: number) => median(rows.find((row) => row.amount === amount)?.starts ?? []);
    return {
      text: toTable(
        ['rounds', 'start, ms', '± %', 'memory after the history, MB'],
        rows.map(({ amount, starts, memory }) => [
          toCount(amount),
          median(starts).toFixed(0),
          spread(starts).toFixed(1),
          memory.toFixed(0),
        ]),
      ),
      aims: [
        {
          what: 'start with 10,000 rounds, more than with none',
          value: startWith(10_000) - startWith(0),
          unit: 'ms',
          atMost: 250,
        },
      ],
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Starts a server on a data folder, asks for its history, and says how many MB are resident then. */
async function weighServer(data: string): Promise<number> {
  const { child, port, finished } = await startServeProcess([
    ...['--content', packageFile('content/sample'), '--data', data],
  ]);
  const client = createTypingClient(port);
  const id = await client.createSession();
  await client.history(id);
  const memory = readMemory(child.pid ?? 0) / 2 ** 20;
  await client.deleteSession(id);
  child.kill('SIGTERM');
  await finished;
  return memory;
}
