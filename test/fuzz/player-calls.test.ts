import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTrustProxy } from '../../src/server/settings/config-parsers.ts';
import { createPlayerClient } from '../support/player-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { flawless } from '../support/typing-client.ts';
import { factor, seed } from './amount.ts';

const trustProxy = parseTrustProxy('127.0.0.1');
const mostSessions = 3;

/** Two players with keys and two who are only addresses; each comes from an address of their own. */
const people = {
  anna: { key: 'anna'.repeat(8), address: '203.0.113.1' },
  bert: { key: 'bert'.repeat(8), address: '203.0.113.2' },
  here: { address: '203.0.113.3' },
  there: { address: '203.0.113.4' },
} as const;
type Name = keyof typeof people;
const names = Object.keys(people) as Name[];

let server: TestServer;
const clientOf = (name: Name) => createPlayerClient(() => server.port, people[name]);

/** What each player has, kept in the plainest way. */
interface Model {
  /** In the order in which they were opened. */
  readonly sessions: { readonly id: string; readonly owner: Name }[];
  readonly rounds: Record<Name, Set<string>>;
  /** Played in a session: their ids are the server's. */
  readonly played: Record<Name, number>;
  readonly uploads: readonly string[];
}

const who = fc.constantFrom(...names);
const session = fc.nat(5);
const calls = fc.oneof(
  { weight: 12, arbitrary: fc.record({ call: fc.constant('open' as const), by: who }) },
  { weight: 6, arbitrary: fc.record({ call: fc.constant('play' as const), by: who, session }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant('close' as const), by: who, session }) },
  { weight: 8, arbitrary: fc.record({ call: fc.constant('upload' as const), by: who, upload: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('leave' as const), by: who }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('restart' as const) }) },
);
type Call = typeof calls extends fc.Arbitrary<infer T> ? T : never;

test('whatever players and anonymous clients do in any order, each sees exactly their sessions and rounds, even after restarts', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 15, maxLength: 40, size: 'max' }), async (plan) => {
      const data = await mkdtemp(join(tmpdir(), 'typebadge-players-'));
      server = await start(data);
      const model = newModel();
      try {
        for (const step of plan) {
          if (step.call === 'restart') {
            await server.close();
            server = await start(data);
          } else outcomes.add(`${step.call} ${await take(model, step)}`);
          for (const name of names) await expectOwn(model, name, JSON.stringify(step));
        }
      } finally {
        await server.close();
        await rm(data, { recursive: true, force: true });
      }
    }),
    { numRuns: 6 * factor, seed, endOnFailure: true },
  );
  expect([...outcomes].sort(), 'what the plans came to').toEqual([
    'close 204',
    'close 404',
    'leave 204',
    'open 201',
    'open 429',
    'play 200',
    'play 404',
    'upload 200',
    'upload 201',
  ]);
});

const start = (data: string) =>
  startTestServer({ data, trustProxy, apiLimit: 'off', maxSessionsPerClient: mostSessions });

function newModel(): Model {
  const each = <T>(make: () => T) =>
    Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, T>;
  return {
    sessions: [],
    rounds: each(() => new Set<string>()),
    played: each(() => 0),
    uploads: Array.from({ length: 2 }, () => randomUUID()),
  };
}

async function take(model: Model, step: Exclude<Call, { readonly call: 'restart' }>): Promise<number> {
  const client = clientOf(step.by);
  switch (step.call) {
    case 'open':
      return open(model, step.by);
    case 'play':
      return play(model, step);
    case 'close':
      return close(model, step);
    case 'upload': {
      const id = model.uploads[step.upload] ?? '';
      const { status } = await client.ask('POST', '/rounds', roundOf(id));
      expect(status).toBe(model.rounds[step.by].has(id) ? 200 : 201);
      model.rounds[step.by].add(id);
      return status;
    }
    case 'leave': {
      const { status } = await client.ask('DELETE', '/player');
      model.rounds[step.by].clear();
      model.played[step.by] = 0;
      const others = model.sessions.filter(({ owner }) => owner !== step.by);
      model.sessions.splice(0, Number.POSITIVE_INFINITY, ...others);
      return status;
    }
  }
}

async function open({ sessions }: Model, by: Name): Promise<number> {
  const { status, json } = await clientOf(by).ask('POST', '/sessions');
  const hasRoom = sessions.filter(({ owner }) => owner === by).length < mostSessions;
  expect(status).toBe(hasRoom ? 201 : 429);
  if (hasRoom) sessions.push({ id: (json as { session_id: string }).session_id, owner: by });
  return status;
}

/** A session with a key is there for its player alone, one without for everybody who knows its id. */
function isTheirs({ owner }: Model['sessions'][number], by: Name): boolean {
  return owner === by || !('key' in people[owner]);
}

async function play(
  model: Model,
  { by, session }: { readonly by: Name; readonly session: number },
): Promise<number> {
  const played = model.sessions.at(-1 - session);
  const id = played?.id ?? '0'.repeat(32);
  const { status, json } = await clientOf(by).ask('POST', `/sessions/${id}/round`);
  const isOpen = played !== undefined && isTheirs(played, by);
  expect(status, `${by} plays a session of ${played?.owner}`).toBe(isOpen ? 200 : 404);
  if (!isOpen) return status;
  const client = clientOf(by);
  await client.ask('POST', `/sessions/${id}/input`, {
    events: flawless((json as { words: string[] }).words),
  });
  const timing = { start_time_unix_ms: 1, end_time_unix_ms: 60_001, duration_ms: 60_000 };
  expect((await client.ask('POST', `/sessions/${id}/timing`, timing)).status).toBe(200);
  model.played[played.owner] += 1;
  return status;
}

async function close(
  model: Model,
  { by, session }: { readonly by: Name; readonly session: number },
): Promise<number> {
  const closed = model.sessions.at(-1 - session);
  const { status } = await clientOf(by).ask('DELETE', `/sessions/${closed?.id ?? '0'.repeat(32)}`);
  const isOpen = closed !== undefined && isTheirs(closed, by);
  expect(status, `${by} closes a session of ${closed?.owner}`).toBe(isOpen ? 204 : 404);
  if (isOpen) model.sessions.splice(model.sessions.indexOf(closed), 1);
  return status;
}

/** All that a player can see of what there is. */
async function expectOwn({ sessions, rounds, played }: Model, name: Name, told: string): Promise<void> {
  const client = clientOf(name);
  const own = sessions.filter(({ owner }) => owner === name).map(({ id }) => id);
  expect(await client.sessions(), `${name} after ${told}`).toEqual(own);
  const ids = (await client.rounds('?limit=1000')).rounds.map(({ id }) => id);
  expect(new Set(ids).size, `${name} after ${told}`).toBe(rounds[name].size + played[name]);
  expect(ids, `${name} after ${told}`).toEqual(expect.arrayContaining([...rounds[name]]));
}

function roundOf(id: string) {
  const words = ['typed', 'on', 'a', 'train'];
  return {
    id,
    words,
    mode: { type: 'text', title: 'a book' },
    language: 'en',
    layout: 'qwerty',
    rules: { early_space: 'skip' },
    events: flawless(words),
    start_time_unix_ms: 1_700_000_000_000,
    end_time_unix_ms: 1_700_000_012_000,
    duration_ms: 12_000,
  };
}
