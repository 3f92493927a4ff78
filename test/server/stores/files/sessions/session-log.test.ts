import { appendFile, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createSessionLog,
  type SessionLog,
} from '../../../../../src/server/stores/files/sessions/session-log.ts';
import { recoverSessions } from '../../../../../src/server/stores/files/sessions/session-recovery.ts';
import type { StoredSession } from '../../../../../src/server/stores/ports.ts';
import { newSession, type Session } from '../../../../../src/server/stores/session.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { newRound, reduceRound } from '../../../../../src/typing/round.ts';
import { newInput } from '../../../../../src/typing/round-input.ts';
import type { Timing } from '../../../../../src/typing/statistics/finished-round.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Sessions and their log, as a server has them. */
function openLog(folder: string, maxBytes: number) {
  const sessions = new Map<string, StoredSession>();
  const problems: string[] = [];
  const log: SessionLog = createSessionLog({
    dir: folder,
    maxBytes,
    sessionOf: (id) => sessions.get(id),
    allIds: () => sessions.keys(),
    onProblem: ({ message }) => problems.push(message),
  });
  const put = (session: Session, lastUsed = 5) => {
    sessions.set(session.id, { session, lastUsed });
    log.changed(session.id);
  };
  return { sessions, problems, log, put };
}

/** What a server that starts now would find; the folder stays as it is. */
async function recovered(folder: string): Promise<Map<string, StoredSession>> {
  const found = new Map<string, StoredSession>();
  const recovery = await recoverSessions({
    from: folder,
    to: join(dir, 'taker'),
    dataDir: dir,
    room: 2 ** 26,
    onSession: (stored) => found.set(stored.session.id, stored),
    keep: async () => undefined,
  });
  if (recovery === undefined) return found;
  expect(recovery).toMatchObject({ damaged: [], aside: undefined });
  await rename(join(dir, 'taker', `taken-${folder.split('/').at(-1)}`), folder);
  return found;
}

it('restores the player of a session; those of version 1 belong to the local player', async () => {
  await mkdir(join(dir, 'taker'));
  const { put, log } = openLog(join(dir, 'own'), 1_000);
  const addresses = { client: `address-${'2'.repeat(64)}`, block: `address-${'3'.repeat(64)}` };
  const opener = { player: `key-${'1'.repeat(64)}`, ...addresses };
  put(newSession(toRoundId(1), defaultPractice, 5, opener));
  await log.flush();
  const [name = ''] = await readdir(join(dir, 'own'));
  const line = {
    v: 1,
    used: 5,
    session: { ...newSession(toRoundId(2), defaultPractice, 5), player: undefined, punctuation: false },
  };
  await appendFile(join(dir, 'own', name), `${JSON.stringify(line)}\n`);
  const sessions = [...(await recovered(join(dir, 'own'))).values()].map(({ session }) => session);
  expect(sessions).toMatchObject([opener, { player: 'local', client: '' }]);
  expect(sessions[1]).not.toHaveProperty('block');
  await log.close();
});

/** Anything that can happen to a session. */
const changes = fc.record({
  who: fc.nat(3),
  what: fc.constantFrom(
    'create',
    'round',
    'type',
    'type',
    'type',
    'use',
    'finish',
    'save',
    'delete',
    'flush',
    'flush',
  ),
  key: fc.constantFrom('a', 'b', ' ', '\b', 'é', '👍'),
});

function change(session: Session | undefined, what: string, key: string, id: string): Session | undefined {
  if (what === 'delete') return undefined;
  if (session === undefined) return what === 'create' ? newSession(id, defaultPractice, 5) : undefined;
  const { round } = session;
  switch (what) {
    case 'round': {
      const roundCount = session.roundCount + 1;
      return { ...session, roundCount, round: newRound(toRoundId(roundCount), ['ab', 'ba']) };
    }
    case 'type': {
      const reduction = round && reduceRound(round, newInput(key, 9, 0));
      return reduction && 'round' in reduction ? { ...session, round: reduction.round } : session;
    }
    case 'finish': {
      const timing: Timing = { start: 1, end: 2, duration: 1 };
      const finished = toUnsavedRound(newJournalRound(toRoundId(100 + session.unsaved.length)));
      return { ...session, round: round && { ...round, timing }, unsaved: [...session.unsaved, finished] };
    }
    case 'save':
      return { ...session, unsaved: [] };
    default:
      return session;
  }
}

it('after every flush the log has all sessions exactly as they are, however often it was rewritten', async () => {
  await mkdir(join(dir, 'taker'));
  let run = 0;
  let latestGeneration = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 30, maxLength: 120, size: 'max' }), async (all) => {
      const folder = join(dir, `own-${run++}`);
      const { sessions, log, put, problems } = openLog(folder, 3000);
      for (const [time, { who, what, key }] of all.entries()) {
        const id = toRoundId(who);
        if (what === 'flush') {
          expect(await log.flush()).toBe(true);
          expect(await recovered(folder)).toEqual(sessions);
          continue;
        }
        const changed = change(sessions.get(id)?.session, what, key, id);
        if (changed !== undefined) put(changed, time);
        else if (sessions.delete(id)) log.changed(id);
      }
      await log.close();
      expect(await recovered(folder)).toEqual(sessions);
      expect(problems).toEqual([]);
      const logs = await readdir(folder).catch((): string[] => []);
      expect(logs.length).toBeLessThanOrEqual(1);
      latestGeneration = Math.max(latestGeneration, ...logs.map((name) => Number(name.slice(4, 10))));
    }),
    { numRuns: 60 },
  );
  expect(latestGeneration).toBeGreaterThan(2);
});

it('its length stays bounded while the same sessions keep changing', async () => {
  const folder = join(dir, 'own');
  const { log, put } = openLog(folder, 20_000);
  for (let time = 0; time < 2000; time++) {
    put({ ...newSession(toRoundId(time % 3), defaultPractice, 5), roundCount: time }, time);
    if (time % 5 === 0) await log.flush();
  }
  await log.close();
  const [name, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect((await stat(join(folder, name as string))).size).toBeLessThan(25_000);
});

it('a failure is reported once, loses nothing, and is repaired when writing works again', async () => {
  const folder = join(dir, 'own');
  const { log, put, problems, sessions } = openLog(folder, 1e9);
  await mkdir(join(dir, 'taker'));
  put(newSession(toRoundId(1), defaultPractice, 5));
  expect(await log.flush()).toBe(true);
  await rename(folder, `${folder}-elsewhere`);
  await writeFile(folder, 'a file stands in the way');
  for (let time = 2; time < 5; time++) {
    put(newSession(toRoundId(time), defaultPractice, 5));
    expect(await log.flush()).toBe(false);
  }
  expect(problems).toHaveLength(1);
  await rm(folder);
  expect(await log.flush()).toBe(true);
  expect(await recovered(folder)).toEqual(sessions);
  await rm(folder, { recursive: true });
  put(newSession(toRoundId(9), defaultPractice, 5));
  expect(await log.flush()).toBe(false);
  expect(await log.flush()).toBe(true);
  expect(problems).toHaveLength(2);
  expect(await recovered(folder)).toEqual(sessions);
  await log.close();
});

it('a log from before several failures is removed too, or sessions deleted since would come back', async () => {
  const folder = join(dir, 'own');
  await mkdir(join(dir, 'taker'));
  const { log, put, sessions } = openLog(folder, 1e9);
  for (const number of [1, 2]) put(newSession(toRoundId(number), defaultPractice, 5));
  expect(await log.flush()).toBe(true);
  await appendFile(join(folder, 'log-000001.jsonl'), 'somebody else was here');
  await writeFile(join(folder, 'log-000002.jsonl'), '');
  sessions.delete(toRoundId(2));
  log.changed(toRoundId(2));
  expect([await log.flush(), await log.flush(), await log.flush()]).toEqual([false, false, true]);
  expect(await readdir(folder)).toEqual(['log-000003.jsonl']);
  expect(await recovered(folder)).toEqual(sessions);
  await log.close();
});

it('many simultaneous flushes are few writes, and each resolves when its change is on disk', async () => {
  const folder = join(dir, 'own');
  await mkdir(join(dir, 'taker'));
  const { log, put, sessions } = openLog(folder, 1e9);
  await Promise.all(
    Array.from({ length: 300 }, async (_, at) => {
      put(newSession(toRoundId(at), defaultPractice, 5));
      expect(await log.flush()).toBe(true);
    }),
  );
  expect(await recovered(folder)).toEqual(sessions);
  await log.close();
});
