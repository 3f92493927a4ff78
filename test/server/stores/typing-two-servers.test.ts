import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RunningProcess, startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient, playRound, type TypingClient } from '../../support/typing-client.ts';

const roundsEach = 500;
const playersEach = 10;

it('two servers on one folder, 500 rounds each: 1,000 in the history of both, and of a third that starts later', async () => {
  const data = await mkdtemp(join(tmpdir(), 'typebadge-two-'));
  const start = () => startServeProcess(['--data', data]);
  const servers: RunningProcess[] = await Promise.all([start(), start()]);
  const clients = servers.map(({ port }) => createTypingClient(port));
  const totalOf = async (client: TypingClient) =>
    (await client.history(await client.createSession())).total_sessions;
  try {
    await Promise.all(clients.map(playAndSave));
    expect(await Promise.all(clients.map(totalOf))).toEqual([1000, 1000]);
    const third = await start();
    servers.push(third);
    expect(await totalOf(createTypingClient(third.port))).toBe(1000);
  } finally {
    for (const { child, finished } of servers) {
      child.kill('SIGTERM');
      expect(await finished).toMatchObject({ code: 0, stdout: expect.not.stringContaining('damaged') });
    }
    await rm(data, { recursive: true, force: true });
  }
}, 300_000);

async function playAndSave(client: TypingClient): Promise<void> {
  const play = async () => {
    const id = await client.createSession();
    for (let round = 0; round < roundsEach / playersEach; round++) {
      await playRound(client, id, 50_000 + round);
      // Some save each round, some several at once.
      if (round % 3 === 0) await client.save(id);
    }
    await client.save(id);
  };
  await Promise.all(Array.from({ length: playersEach }, play));
}
