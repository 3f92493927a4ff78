import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient } from '../../support/typing-client.ts';

it('a server that may open few files goes on when it has run out of them, and refuses nothing', async () => {
  const data = await mkdtemp(join(tmpdir(), 'typebadge-few-'));
  const under = ['bash', '-c', 'ulimit -n 100 && exec "$0" "$@"'];
  const server = await startServeProcess(['--data', data], { under });
  const client = createTypingClient(server.port);
  const made: string[] = [];
  for (let count = 0; count < 300; count += 1) made.push(await client.createSession());
  for (const id of made) {
    const { status } = await client.call('GET', `/sessions/${id}/stats/historical`);
    expect(status).toBe(200);
  }
  const { status } = await client.call('GET', '/health');
  expect(status).toBe(200);
  server.child.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
  await rm(data, { recursive: true });
});
