import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionCreated } from '../../src/contract/answer-types.ts';
import { parseStoreUrl, type RedisAddress } from '../../src/server/settings/store-url.ts';
import { type Answer, send } from '../support/http-client.ts';
import { hasRedis, type RedisProcess, startRedis } from '../support/redis/redis-process.ts';
import { lasting, startTestServer, type TestServer } from '../support/test-server.ts';
import { createTypingClient, flawless, playRound, type TypingClient } from '../support/typing-client.ts';
import { until } from '../support/until.ts';
import { factor, seed } from './amount.ts';
import { createRandom, type Random } from './random.ts';
import { type LyingLine, startLyingLine } from './store/lying-line.ts';

const unlimited = { rate: 1e6, burst: 1e6 };
/** Milliseconds without an answer that count as none, on a machine as busy as can be. */
const patience = 60_000;
const timing = {
  start_time_unix_ms: 1_700_000_000_000,
  end_time_unix_ms: 1_700_000_060_000,
  duration_ms: 60_000,
};
const text = { mode: { type: 'text', text: 'one two three' } };
const events = flawless(['one', 'two', 'three']);

/** Milliseconds of lies; on a busy machine there are fewer of them. */
const mostTime = 100_000;

describe.skipIf(!hasRedis)('a store that gives wrong answers', () => {
  let dir: string;
  let redis: RedisProcess;
  let line: LyingLine;
  let server: TestServer;
  let random: Random;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-lies-'));
    redis = await startRedis(join(dir, 'redis'));
    random = createRandom(seed);
    line = await startLyingLine(redis.port, random);
    server = await startTestServer({
      store: parseStoreUrl(`redis://127.0.0.1:${line.port}`) as RedisAddress,
      badgeLimits: { assets: unlimited, content: unlimited, analytics: unlimited, pages: unlimited },
    });
  });
  afterEach(async () => {
    line.lieOnce(undefined);
    await server.close();
    await line.close();
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = send(server.port, {
      method,
      path,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const silence = sleep(patience, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`${method} ${path} was not answered`)),
    );
    return Promise.race([answer, silence]);
  };

  /** A call of a client that knows a session, and may know one that is gone. */
  const anyCall = (id: string): Parameters<typeof ask> => {
    const session = `/api/sessions/${id}`;
    return random.pick<Parameters<typeof ask>>([
      ['POST', '/api/sessions', text],
      ['GET', '/api/sessions'],
      ['POST', `${session}/round`],
      ['POST', `${session}/input`, { events: events.slice(0, 1 + random.below(events.length)) }],
      ['POST', `${session}/input`, { events }],
      ['POST', `${session}/timing`, timing],
      ['POST', `${session}/save`],
      ['GET', `${session}/state`],
      ['GET', `${session}/stats/session`],
      ['GET', `${session}/stats/historical?mode=all`],
      ['GET', '/api/rounds'],
      ['GET', '/content/history.json'],
      ['GET', '/content/announcement.json'],
      ['GET', `/pulse?event=click&id=${lasting.id}`],
      ['GET', '/api/health'],
    ]);
  };

  /** A session with a round, from a store that tells the truth again: replies out of order are noticed within seconds. */
  const sessionOf = async (client: TypingClient): Promise<string> => {
    let id = '';
    await until(async () => {
      const { status, body } = await client.call<SessionCreated>('POST', '/sessions', text);
      id = body.session_id;
      if (status !== 201) return false;
      const round = await client.call('POST', `/sessions/${id}/round`, {});
      return round.status < 300;
    }, 180_000);
    return id;
  };

  test('stops no server, keeps nobody waiting, changes no announcement, and has no lasting effect', async () => {
    const client = createTypingClient(server.port);
    const faults: string[] = [];
    let id = '';
    const end = performance.now() + mostTime * factor;
    for (let call = 0; line.lies() < 60 * factor && performance.now() < end; call += 1) {
      if (call % 20 === 0) {
        line.lieOnce(undefined);
        id = await sessionOf(client);
      }
      line.lieOnce(random.pick([2, 3, 5, 20]));
      const [method, path, body] = anyCall(id);
      const answer = await ask(method, path, body);
      faults.push(...faultsOf(`${method} ${path}`, answer));
      // It connects again.
      if (answer.status === 503) await sleep(50);
    }
    expect(faults, `FUZZ_SEED=${seed}`).toEqual([]);

    line.lieOnce(undefined);
    await sessionOf(client);
    id = await client.createSession();
    await playRound(client, id);
    expect(await client.sessionStatistics(id)).toMatchObject({
      accuracy: 100,
      correct_chars: expect.any(Number),
    });
    const history = JSON.parse((await ask('GET', '/content/history.json')).body.toString());
    expect(history.announcements).toMatchObject([{ id: lasting.id, message: lasting.message }]);
  });
});

/** What no client may see, whatever the store says: a stack, a text that is not of the contract, an announcement that is not ours. */
function faultsOf(call: string, { status, headers, body }: Answer): string[] {
  const said = `${call}: ${status} ${body.toString().slice(0, 300)}`;
  if (status >= 400) {
    const { error, code } = toJson(body) ?? {};
    const isWhole = typeof error === 'string' && typeof code === 'string';
    return isWhole && !/\bat .*:\d+:\d+|ReplyError|redis/i.test(error) ? [] : [said];
  }
  if (status !== 200 && status !== 201 && status !== 204) return [said];
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  return isJson && toJson(body) === undefined ? [said] : [];
}

function toJson(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
