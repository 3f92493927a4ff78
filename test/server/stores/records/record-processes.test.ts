import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFileRecords } from '../../../../src/server/stores/records/file-records.ts';
import type { Records } from '../../../../src/server/stores/records/records.ts';
import { type BundledScript, bundleScript, finished } from '../files/script-process.ts';

const ids = ['shared/0', 'shared/1', 'shared/2'];

/** Every line that is kept, without what fills it up, and the counters. */
async function contentOf(records: Records): Promise<{ lines: string[]; counts: number[] }> {
  const lines: string[] = [];
  const counts: number[] = [];
  for (const id of ids) {
    for (const line of await records.lines(id, 1, Number.MAX_SAFE_INTEGER)) {
      const [, start = '', number, filling = ''] = /^((?:\w+) (\d+)) (x*)$/.exec(line) ?? [];
      expect(filling.length, `a torn line: ${line}`).toBe(Number(number) % 400);
      lines.push(start);
    }
    counts.push(Number((await records.read(id, ['n'])).values?.[0] ?? 0));
  }
  return { lines, counts };
}

describe('records in files, written by several processes', () => {
  let root: string;
  let dir: string;
  let writer: BundledScript;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'typebadge-records-'));
    writer = await bundleScript(new URL('./writer.ts', import.meta.url));
  });
  afterAll(async () => {
    await writer.remove();
    await rm(root, { recursive: true });
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(root, 'data-'));
  });

  test('no change is lost or doubled, whichever process seals a file', async () => {
    const all = await Promise.all(
      ['a', 'b', 'c'].map((name) => finished(writer.start(dir, name, '300', 'add'))),
    );
    expect(all.map(({ err }) => err)).toEqual(['', '', '']);
    const { lines, counts } = await contentOf(createFileRecords({ dir }));
    expect(lines.toSorted()).toEqual(all.flatMap(({ out }) => out.trim().split('\n')).toSorted());
    expect(counts).toEqual([300, 300, 300]);
  });

  test('a process that may open few files can write any number of them, and keeps none open for ever', async () => {
    const { out, err } = await finished(writer.startUnder('ulimit -n 50', dir, 'few', '2000', 'new'));
    expect([out.trim().split('\n').length, err]).toEqual([2000, '']);
  });

  test('changes on the condition of a version count one after the other', async () => {
    const all = await Promise.all(
      ['a', 'b', 'c'].map((name) => finished(writer.start(dir, name, '150', 'if'))),
    );
    expect(all.map(({ err }) => err)).toEqual(['', '', '']);
    expect((await contentOf(createFileRecords({ dir }))).counts).toEqual([150, 150, 150]);
  });

  test('a process that is killed while it writes loses nothing that it acknowledged, and disturbs nobody', async () => {
    const records = createFileRecords({ dir, maxFileSize: 4_000 });
    const acknowledged: string[] = [];
    let own = 0;
    const write = async (name: string) => {
      const push = [`${name} ${own} ${'x'.repeat(own % 400)}`];
      expect(await records.commit(`shared/${own % 3}`, { add: { n: 1 }, push })).toHaveProperty('version');
      acknowledged.push(`${name} ${own}`);
      own += 1;
    };
    for (let kill = 0; kill < 12; kill += 1) {
      const child = writer.start(dir, `killed${kill}`, '1000000', 'add');
      const end = finished(child);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const until = performance.now() + 20 + 10 * kill;
      while (performance.now() < until) {
        for (let at = 0; at < 5; at += 1) await write('own');
        await sleep(1);
      }
      child.kill('SIGKILL');
      acknowledged.push(...(await end).out.split('\n').slice(0, -1));
    }
    for (const each of [records, createFileRecords({ dir })]) {
      const { lines, counts } = await contentOf(each);
      expect(new Set(lines).size).toBe(lines.length);
      expect(acknowledged.filter((line) => !lines.includes(line)).slice(0, 5)).toEqual([]);
      // A killed process may have written one change that it could not acknowledge any more.
      expect(lines.length - acknowledged.length).toBeLessThanOrEqual(12);
      expect(counts.reduce((sum, count) => sum + count)).toBe(lines.length);
    }
  }, 120_000);
});
