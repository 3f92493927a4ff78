import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServeProcess } from '../../support/typebadge-process.ts';
import { createTypingClient } from '../../support/typing-client.ts';

it('a server that may open few files goes on when it has run out of them, and loses nothing', async () => {
  const data = await mkdtemp(join(tmpdir(), 'typebadge-few-'));
  const under = ['bash', '-c', 'ulimit -n 100 && exec "$0" "$@"'];
  const server = await startServeProcess(['--data', data], { under });
  const client = createTypingClient(server.port);
  const made: string[] = [];
  let refused = 0;
  for (let count = 0; count < 300; count += 1) {
    const { status, body } = await client.call<{ session_id: string }>('POST', '/sessions');
    if (status === 201) made.push(body.session_id);
    else refused += 1;
  }
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(30);
  for (const id of made) {
    const read = () => client.call('GET', `/sessions/${id}/stats/historical`);
    const { status } = await read();
    // A refusal has made room.
    expect(status === 503 ? (await read()).status : status).toBe(200);
  }
  server.child.kill('SIGTERM');
  expect((await server.finished).code).toBe(0);
  await rm(data, { recursive: true });
});
