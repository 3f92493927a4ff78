import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { comparisonTable, type LoadResult, measureInTurn, speedRatio, type Target } from './comparison.ts';
import { atLeast, type Report } from './report.ts';
import { runOnCore, type Serving, servePeer, serveTypebadge } from './serving.ts';
import type { TypingLoad } from './typing-load.ts';

/** As many as the load opens in a whole bench. */
export const manySessions = ['--max-sessions', '100000'];

/** Keys per second of the typing API beside its peers, all in one run. */
export async function benchTypingApi(rounds: number, seconds = 1): Promise<Report> {
  const ours = await serveTypebadge(await mkdtemp(join(tmpdir(), 'data-')), manySessions);
  const bareServer = await servePeer('peers/bare.ts');
  const inMemory = await servePeer('peers/fastify-typing.ts');
  const onDisk = await servePeer('peers/fastify-typing.ts', [await mkdtemp(join(tmpdir(), 'keys-'))]);
  const single = typingTarget('typebadge', [ours]);
  const bare = typingTarget('bare node:http, no game', [bareServer], { isReal: false });
  const memory = typingTarget('Fastify, the same game in memory', [inMemory]);
  const disk = typingTarget('Fastify, appends each key to a file', [onDisk]);
  const batch = typingTarget('typebadge, 30 keys a request', [ours], { batch: 30 });
  const targets = [single, bare, memory, disk, batch];
  await measureInTurn(targets, rounds, seconds);
  for (const serving of [ours, bareServer, inMemory, onDisk]) serving.stop();
  return {
    text: [
      `32 typists, ${rounds} alternating rounds of ${seconds} s, one core each.`,
      comparisonTable('keys', targets),
    ].join('\n\n'),
    aims: [
      atLeast('keystroke: typebadge / bare node:http', speedRatio(single, bare), 0.85, '×'),
      atLeast('keystroke: typebadge / Fastify in memory', speedRatio(single, memory), 1, '×'),
      atLeast('keystroke: typebadge / Fastify that appends', speedRatio(single, disk), 1.3, '×'),
      atLeast('keys in batches / one by one', speedRatio(batch, single), 1, '×'),
    ],
  };
}

/** Typists at servers. */
export function typingTarget(
  name: string,
  servings: readonly Serving[],
  asked: Partial<TypingLoad> = {},
): Target {
  const load = (seconds: number) => {
    const [ports, pids] = [servings.map(({ port }) => port), servings.map(({ pid }) => pid)];
    const whole: TypingLoad = { ports, pids, isInTurn: false, batch: 1, isReal: true, seconds, ...asked };
    return runOnCore<LoadResult>(1, 'typing-load.ts', [JSON.stringify(whole)]);
  };
  return { name, load, results: [] };
}
