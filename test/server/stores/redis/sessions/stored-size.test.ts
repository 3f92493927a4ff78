import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseStoreUrl, type RedisAddress } from '../../../../../src/server/settings/store-url.ts';
import type { Sessions } from '../../../../../src/server/stores/ports.ts';
import {
  openConnection,
  type StoreConnection,
} from '../../../../../src/server/stores/redis/connection/connection.ts';
import { createRedisSessions } from '../../../../../src/server/stores/redis/sessions/redis-sessions.ts';
import { prepareWrite } from '../../../../../src/server/stores/redis/sessions/session-copy.ts';
import { storedBytes } from '../../../../../src/server/stores/redis/sessions/stored-size.ts';
import { newSession, type Session } from '../../../../../src/server/stores/session.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { newRound, reduceRoundBatch } from '../../../../../src/typing/round.ts';
import { newInput } from '../../../../../src/typing/round-input.ts';
import { toWord } from '../../../../../src/typing/rules/word.ts';
import {
  eventually,
  hasRedis,
  type RedisProcess,
  startRedis,
} from '../../../../support/redis/redis-process.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';

const words = Array.from({ length: 30 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}`);
const many = 100;
const toId = (at: number) => at.toString(16).padStart(32, '0');
/** A player, client and block of its own: all lists are its alone. */
const openerOf = (at: number) => ({
  player: `key-${toId(at)}${toId(at)}`,
  client: `address-${toId(at)}${toId(at)}`,
  block: `address-${toId(at)}${toId(at + 1)}`,
});

const begin = (session: Session, text: readonly string[] = words): Session => ({
  ...session,
  roundCount: 1,
  round: newRound(session.id, text.map(toWord), session.practice),
});
function type(session: Session, keys: readonly string[], from = 0): Session {
  const inputs = keys.map((key, at) => newInput(key, 3_599_999, from + at + 1));
  const reduction = session.round && reduceRoundBatch(session.round, inputs);
  if (reduction === null || 'problem' in reduction) throw new Error('not taken');
  return { ...session, round: reduction.round };
}
const mistakes = (key: string, count: number) =>
  Array.from({ length: count }, (_, at) => (at % 2 ? '\b' : key));

describe.skipIf(!hasRedis)('what sessions take in the store', () => {
  let dir: string;
  let redis: RedisProcess;
  let connection: StoreConnection;
  let sessions: Sessions;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-size-'));
    redis = await startRedis(dir);
    connection = await openConnection({ address: parseStoreUrl(redis.url) as RedisAddress });
    await eventually(() => connection.problem() === undefined);
  });
  afterAll(async () => {
    await connection.close();
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await connection.run((client) => client.flushall());
    sessions = createRedisSessions(connection, { prefix: 'p', ttl: 3_600_000, limit: 1e6, cacheMemory: 1e9 });
  });

  const memoryOf = async () =>
    Number(/used_memory:(\d+)/.exec(await connection.run((client) => client.info('memory')))?.[1]);
  const countedOf = async () =>
    Number(await connection.run((client) => client.hget('p:sessions:{all}:bytes', 'total')));
  const change = async (id: string, by: (session: Session) => Session) =>
    sessions.update(id, (session) => ({ session: by(session), result: true }));

  const text = { type: 'text', text: 'я'.repeat(10_000), title: 'a title' } as const;
  const longest = `a${'\u0301'.repeat(31)}`;
  const ways: [string, typeof defaultPractice, ((id: string) => Promise<unknown>)[]][] = [
    ['that were opened only', defaultPractice, []],
    ['with a long text to type', { ...defaultPractice, mode: text }, []],
    ['with a round that nobody types', defaultPractice, [(id) => change(id, begin)]],
    [
      'whose round is typed without end',
      defaultPractice,
      [
        (id) => change(id, begin),
        async (id) => {
          for (let at = 0; at < 600; at += 6) await change(id, (s) => type(s, mistakes('x', 6), at));
        },
      ],
    ],
    [
      'of the longest characters, in batches',
      defaultPractice,
      [
        (id) => change(id, begin),
        async (id) => {
          for (let at = 0; at < 400; at += 100) await change(id, (s) => type(s, mistakes(longest, 100), at));
        },
      ],
    ],
    [
      'with rounds that were not saved',
      defaultPractice,
      Array.from({ length: 9 }, (_, at) => (id: string) => {
        const round = toUnsavedRound(newJournalRound(toRoundId(at), words, [at]));
        return change(id, (session) => ({ ...session, unsaved: [...session.unsaved, round] }));
      }),
    ],
  ];
  test.each(ways)('is at most what is counted: of those %s', async (_title, practice, steps) => {
    // Scripts, and what the client's connection takes, are there already.
    await sessions.create(newSession(toId(9_999_999), practice, 1, openerOf(9_999_999)));
    for (const step of steps) await step(toId(9_999_999));
    const before = { memory: await memoryOf(), counted: await countedOf() };
    const ids = Array.from({ length: many }, (_, at) => toId(at));
    for (const [at, id] of ids.entries())
      expect(await sessions.create(newSession(id, practice, 1_700_000_000_000, openerOf(at)))).toBe('added');
    for (const step of steps) await Promise.all(ids.map(step));
    const taken = (await memoryOf()) - before.memory;
    const counted = (await countedOf()) - before.counted;
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(counted);
  });
});

test('a started round has room to be typed, with mistakes, and finished', () => {
  const isRoomy = (text: readonly string[], tape: readonly number[]) => {
    const id = toRoundId(1);
    const opened = newSession(id, defaultPractice, 1_700_000_000_000, openerOf(1));
    const none = { session: opened, generation: '', headerBytes: 0, inputBytes: 0 };
    const start = prepareWrite(none, begin(opened, text)).after;
    const finished = newJournalRound(id, text, tape);
    fc.pre(finished.keys.length <= 2 * text.reduce((sum, word) => sum + word.length + 1, 0));
    const typed = prepareWrite(start, type(start.session, finished.keys)).after;
    expect(storedBytes(typed)).toBe(storedBytes(start));
    const { round } = typed.session;
    if (round === null) throw new Error('no round');
    const timed = { ...round, timing: finished.timing };
    const line = toUnsavedRound({ ...finished, seekTimes: finished.keys.map(() => 4_999) });
    const after = prepareWrite(typed, { ...typed.session, round: timed, unsaved: [line] }).after;
    expect(storedBytes(after)).toBeLessThanOrEqual(storedBytes(start));
  };
  const letters = fc.constantFrom(...'abcxyzäяñ');
  const word = fc.array(letters, { minLength: 1, maxLength: 9 }).map((found) => found.join(''));
  fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), fc.array(fc.nat(999)), isRoomy), {
    numRuns: 60,
  });
});
