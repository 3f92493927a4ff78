import { setTimeout as sleep } from 'node:timers/promises';
import { createTypingClient } from '../support/typing-client.ts';
import { type Report, toTable } from './report.ts';
import { serve } from './serving.ts';
import { quantile } from './statistics.ts';

const inputs = 1400;
const repeatsPerBatch = 500;

/** `/health` of one client while another repeats the inputs of a long round, 500 in a batch, one batch after the other. */
export async function benchRepeats(seconds: number): Promise<Report> {
  const serving = await serve('./peers/typebadge-typing.ts');
  const port = Number(new URL(serving.url).port);
  const hostile = createTypingClient(port);
  const id = await hostile.createSession();
  await hostile.startRound(id);
  const events = Array.from({ length: inputs }, (_, at) =>
    at % 2 === 0
      ? { type: 'keystroke' as const, char: '#', seq: at + 1 }
      : { type: 'backspace' as const, seq: at + 1 },
  );
  for (let at = 0; at < inputs; at += repeatsPerBatch)
    await hostile.input(id, events.slice(at, at + repeatsPerBatch));
  const quiet = await timeHealth(port, seconds);
  let isOver = false;
  const attack = (async () => {
    while (!isOver) await hostile.input(id, events.slice(-repeatsPerBatch));
  })();
  const attacked = await timeHealth(port, seconds);
  isOver = true;
  await attack;
  await serving.stop();
  const row = (name: string, times: readonly number[]) => [
    name,
    quantile(times, 0.5).toFixed(2),
    quantile(times, 0.99).toFixed(2),
  ];
  return {
    text: toTable(
      ['/health of another client', 'p50 ms', 'p99 ms'],
      [row('alone', quiet), row('while somebody repeats', attacked)],
    ),
    aims: [
      {
        what: '/health while somebody repeats, p99',
        value: quantile(attacked, 0.99),
        unit: 'ms',
        atMost: 50,
      },
    ],
  };
}

/** Milliseconds of each answer. */
async function timeHealth(port: number, seconds: number): Promise<number[]> {
  const client = createTypingClient(port);
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    await client.call('GET', '/health');
    times.push(performance.now() - start);
    await sleep(5);
  }
  return times;
}
