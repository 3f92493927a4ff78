import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createFileRecords } from '../../../src/server/stores/records/file-records.ts';
import type { Records } from '../../../src/server/stores/records/records.ts';
import { createRedisRecords } from '../../../src/server/stores/records/redis-records.ts';
import { createRounds } from '../../../src/server/stores/rounds.ts';
import { createSessions } from '../../../src/server/stores/sessions.ts';
import { describeOnStore, keysOf } from '../../support/redis/every-store.ts';
import { describeBounds, type TestEngine } from './bounds-contract.ts';
import { describeRounds } from './rounds-contract.ts';
import { describeSessions } from './sessions-contract.ts';
import { describeSharedData } from './shared-contract.ts';

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
