import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createFileRecords } from '../../../src/server/stores/records/file-records.ts';
import type { Records } from '../../../src/server/stores/records/records.ts';
import { createRedisRecords } from '../../../src/server/stores/records/redis-records.ts';
import { describeOnEveryStore, keysOf } from '../../support/redis/every-store.ts';

export interface TestEngine {
  /** The records of one more server. Each test begins without any. */
  open(): Promise<Records>;
  /** Milliseconds since 1970; 1,000 at the beginning of each test. */
  clock(): number;
  /** Lets time pass for the engine too. */
  pass(ms: number): Promise<void>;
}

/** Milliseconds of a Redis store in a millisecond of a test: its clock goes on by itself. */
const scale = 10_000;

/** The same tests on files, on one Redis server and on a cluster. */
export function describeOnEveryEngine(title: string, tests: (engine: TestEngine) => void): void {
  let time = 1_000;
  const clock = () => time;

  describe(`${title}, in files`, () => {
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
    tests({
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

  describeOnEveryStore(title, (store) => {
    let prefix = '';
    let count = 0;
    beforeEach(() => {
      time = 1_000;
      count += 1;
      prefix = `test-${count}`;
    });
    tests({
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
}
