import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogOutput } from '../../src/server/settings/log.ts';
import { send } from '../support/http-client.ts';
import { startServeProcess } from '../support/typebadge-process.ts';

const mebibyte = 1024 * 1024;

test('every line is written in order or counted as missing, and at most 1 MiB waits for the reader', async () => {
  const steps = fc.array(fc.oneof(fc.nat(300_000), fc.constant('read' as const)), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (actions) => {
      const stream = new PassThrough({ highWaterMark: 1_000 });
      const write = createLogOutput(stream, (missing) => `missing ${missing}\n`);
      let count = 0;
      let read = '';
      for (const action of actions) {
        if (action === 'read') {
          read += (stream.read() ?? '').toString();
          await new Promise(setImmediate);
        } else {
          write(`${count} ${'x'.repeat(action)}\n`);
          count += 1;
          // A notice may be written at the very edge.
          expect(stream.writableLength).toBeLessThan(mebibyte + 100);
        }
      }
      setImmediate(() => stream.end());
      read += await text(stream);
      let next = 0;
      for (const line of read.trimEnd().split('\n').filter(Boolean)) {
        const [word, missing] = line.split(' ');
        if (word === 'missing') next += Number(missing);
        else expect(Number(word)).toBe(next++);
      }
      expect(next).toBe(count);
    }),
    { numRuns: 50 },
  );
});

test('a server whose log nobody reads for a while leaves lines out and says how many', async () => {
  const { child, finished, port } = await startServeProcess(['--verbose']);
  child.stdout?.pause();
  const path = `/${'x'.repeat(6_000)}`;
  for (let round = 0; round < 40; round += 1)
    await Promise.all(Array.from({ length: 20 }, () => send(port, { path })));
  child.stdout?.resume();
  while ((await send(port, { path: '/health' })).status !== 200);
  child.kill('SIGTERM');
  const { stdout } = await finished;
  const entries = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const written = entries.filter(({ message }) => message === `GET ${path}`).length;
  const notices = entries.filter(({ message }) => message.startsWith('log lines were left out'));
  expect(notices).not.toEqual([]);
  expect(notices.reduce((sum, { lines }) => sum + lines, written)).toBe(800);
});
