import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPulse, maxCounters } from '../../../src/server/stores/pulse.ts';
import { createFileRecords } from '../../../src/server/stores/records/file-records.ts';
import type { Records } from '../../../src/server/stores/records/records.ts';
import { createRedisRecords } from '../../../src/server/stores/records/redis-records.ts';
import { createRounds } from '../../../src/server/stores/rounds.ts';
import { createSessions } from '../../../src/server/stores/sessions.ts';
import { describeOnStore, keysOf } from '../../support/redis/every-store.ts';
import { describeBounds, type TestEngine } from './bounds-contract.ts';
import { click } from './pulse-contract.ts';
import { describeRounds } from './rounds-contract.ts';
import { describeSessions } from './sessions-contract.ts';
import { describeSharedData } from './shared-contract.ts';
import { newStoredRound, toRoundId } from './stored-rounds.ts';

// Everything above the engines, on files and on a Redis server. That a cluster is an engine too is tested in `records`.

function describeKeptData({ open, clock, pass }: TestEngine): void {
  describeSessions('sessions', async ({ limitPerClient = Number.POSITIVE_INFINITY, ...limits }) => {
    const store = createSessions(await open(), { ...limits, limitPerClient, clock });
    return { store, pass };
  });
  describeRounds('rounds', async () =>
    createRounds(await open(), { quota: 2 ** 30, retention: undefined, clock }),
  );
  describeBounds({ open, clock, pass });
  describeSharedData(open);
}

/** Milliseconds of a Redis store in a millisecond of a test: its clock goes on by itself. */
const scale = 10_000;
let time = 1_000;
const clock = () => time;

describe('kept in files', () => {
  let root: string;
  let dir: string;
  const opened: Records[] = [];
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'typebadge-records-'));
  });
  beforeEach(async () => {
    time = 1_000;
    dir = await mkdtemp(join(root, 'test-'));
  });
  afterAll(async () => {
    await Promise.all(opened.map((records) => records.close()));
    await rm(root, { recursive: true, force: true });
  });
  describeKeptData({
    async open() {
      const records = createFileRecords({ dir, clock });
      opened.push(records);
      return records;
    },
    clock,
    async pass(ms) {
      time += ms;
    },
  });

  it('of damaged rounds, all intact ones are listed and counted, and another one can be added', async () => {
    const open = () =>
      createRounds(createFileRecords({ dir, clock }), { quota: 1e9, retention: undefined, clock });
    for (let number = 1; number <= 9; number += 1)
      await open().add('local', newStoredRound(toRoundId(number)));
    const files = await readdir(dir, { recursive: true });
    const path = join(dir, files.find((name) => name.endsWith('rounds/local.1')) ?? '');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(`"id":"${toRoundId(5)}"`, `"id":"${toRoundId(6)}"`));
    for (const count of [8, 9]) {
      const rounds = open();
      const listed = (await rounds.list('local', { limit: 99, after: undefined }))?.rounds ?? [];
      expect(new Set(listed.map(({ id }) => id)).size).toBe(count);
      expect((await rounds.history('local')).rounds).toBe(count);
      await rounds.add('local', newStoredRound(toRoundId(10)));
    }
  });

  it('counts further sites as "other" once memory has the most names allowed', async () => {
    const pulse = createPulse(createFileRecords({ dir, clock }), () => expect.unreachable());
    for (let at = 0; at < maxCounters + 500; at += 1) pulse.count({ ...click, site: `s${at}.example` });
    pulse.count({ ...click, site: 's0.example' });
    await pulse.save();
    const counts = await pulse.read('2026-11-22');
    expect(counts).toHaveLength(maxCounters + 1);
    expect(counts.find(({ site }) => site === 'other')?.count).toBe(500);
    expect(counts.find(({ site }) => site === 's0.example')?.count).toBe(2);
  });
});

describeOnStore('kept', 'one server', (store) => {
  let prefix = '';
  let count = 0;
  beforeEach(() => {
    time = 1_000;
    count += 1;
    prefix = `test-${count}`;
  });
  describeKeptData({
    async open() {
      const records = createRedisRecords(await store.connect(), { prefix });
      return {
        ...records,
        commit: (id, change) =>
          records.commit(id, change.ttl === undefined ? change : { ...change, ttl: change.ttl * scale }),
      };
    },
    clock,
    async pass(ms) {
      time += ms;
      const connection = await store.connect();
      for (const key of await keysOf(connection, `${prefix}:*`)) {
        const left = await connection.run((client) => client.pttl(key));
        if (left > 0) await connection.run((client) => client.pexpire(key, left - ms * scale));
      }
    },
  });
});
