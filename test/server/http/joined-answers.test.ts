import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newConnection, writeAnswer } from '../../../src/server/http/connection.ts';
import { finishReply, jsonReply } from '../../../src/server/http/reply.ts';
import { type Answer, send } from '../../support/http-client.ts';

const server = createServer();
// A machine that is busy would lengthen a turn.
beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => {
  vi.useRealTimers();
  server.removeAllListeners('request').close();
});

/** Sends three requests, and answers all of them in one turn of the event loop, by `answer`. */
async function inOneTurn(answer: (responses: readonly ServerResponse[]) => Promise<void>): Promise<Answer[]> {
  const responses: ServerResponse[] = [];
  const answered = new Promise<void>((resolve, reject) => {
    server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
      if (responses.push(response) === 3) answer(responses).then(resolve, reject);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answers = Promise.all(['/0', '/1', '/2'].map((path) => send(port, { path })));
  await answered;
  return answers;
}

/** Which of them are written. */
const written = (responses: readonly ServerResponse[]) => responses.map(({ headersSent }) => headersSent);
const write = (response: ServerResponse, body: unknown = response.req.url) =>
  writeAnswer(newConnection(response.req.socket), response, finishReply(jsonReply(200, { body })));
const bodies = (answers: readonly Answer[]) => answers.map(({ body }) => JSON.parse(body.toString()).body);

test('answers of one turn are written together at its end, each to its request', async () => {
  const answers = await inOneTurn(async (responses) => {
    for (const response of responses) write(response);
    expect(written(responses)).toEqual([false, false, false]);
    await nextTurn();
    expect(written(responses)).toEqual([true, true, true]);
  });
  expect(bodies(answers)).toEqual(['/0', '/1', '/2']);
});

test('a turn that takes long does not delay the answers that are ready', async () => {
  const answers = await inOneTurn(async (responses) => {
    const [first, second, third] = responses as [ServerResponse, ServerResponse, ServerResponse];
    write(first);
    vi.advanceTimersByTime(3);
    write(second);
    expect(written(responses)).toEqual([true, true, false]);
    write(third);
    await nextTurn();
  });
  expect(bodies(answers)).toEqual(['/0', '/1', '/2']);
});

test('long answers do not wait in memory for others', async () => {
  const long = 'x'.repeat(40_000);
  const answers = await inOneTurn(async (responses) => {
    const [first, second, third] = responses as [ServerResponse, ServerResponse, ServerResponse];
    write(first, long);
    write(second, long);
    expect(written(responses)).toEqual([true, true, false]);
    write(third, long);
    await nextTurn();
    expect(written(responses)).toEqual([true, true, true]);
  });
  expect(bodies(answers)).toEqual([long, long, long]);
});
