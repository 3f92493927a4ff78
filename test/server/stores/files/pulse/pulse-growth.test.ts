import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPulse, readPulse } from '../../../../../src/server/stores/files/pulse/pulse.ts';
import { findFullDisks } from '../../../../support/full-disk.ts';
import { type BundledScript, bundleScript, finished } from '../script-process.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-pulse-growth-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const day = '2026-11-20';
const dayFile = () => join(dir, `${day}.jsonl`);
const click = (site: string) => ({ day, announcement: 'a', event: 'click', site }) as const;
const fail = (problem: Error) => {
  throw problem;
};
const countsOf = async (folder = dir) =>
  new Map((await readPulse(folder, '2000-01-01')).map(({ site, count }) => [site, count]));

test('the file of a client with 1,000 names a day grows with the names, not with the requests', async () => {
  const pulse = createPulse({ dir, onProblem: fail });
  const sites = Array.from({ length: 1_000 }, (_, at) => `s${at}.${'y'.repeat(180)}.wild.org`);
  let most = 0;
  for (let save = 0; save < 150; save += 1) {
    for (const site of sites) pulse.count(click(site));
    await pulse.save();
    most = Math.max(most, (await stat(dayFile())).size);
  }
  const plain = JSON.stringify(sites.map((site) => ['a', 'click', site, 150])).length;
  expect(most).toBeLessThan(4 * plain);
  const counts = await countsOf();
  expect(counts.size).toBe(1_000);
  expect(new Set(counts.values())).toEqual(new Set([150]));
});

test('a quiet site takes a few kilobytes a day, however often its counts are saved', async () => {
  const pulse = createPulse({ dir, onProblem: fail });
  for (let save = 0; save < 1_000; save += 1) {
    pulse.count(click('a.example'));
    await pulse.save();
  }
  expect((await stat(dayFile())).size).toBeLessThan(17_000);
  expect(await countsOf()).toEqual(new Map([['a.example', 1_000]]));
  expect(await readdir(dir)).toEqual([`${day}.jsonl`]);
});

test('lines of a later version survive rewriting, damaged ones do not', async () => {
  const later = '{"v":2,"whatever":[1]}';
  await writeFile(dayFile(), `${later}\nnonsense\n{"v":1,"day":"${day}","counts":[["a","click","x",5]]}\n`);
  const pulse = createPulse({ dir, onProblem: fail, compactFrom: 0 });
  pulse.count(click('x'));
  await pulse.save();
  expect(await readFile(dayFile(), 'utf8')).toBe(
    `{"v":1,"day":"${day}","counts":[["a","click","x",6]]}\n${later}\n`,
  );
});

test('a monthly file of version 1.0 counts, and stays as it is', async () => {
  const line = `{"v":1,"day":"${day}","counts":[["a","click","x",5]]}\n`;
  const old = join(dir, '2026-11.jsonl');
  await writeFile(old, line.repeat(1_000));
  const pulse = createPulse({ dir, onProblem: fail, compactFrom: 0 });
  pulse.count(click('x'));
  await pulse.save();
  expect(await countsOf()).toEqual(new Map([['x', 5_001]]));
  expect(await readFile(old, 'utf8')).toBe(line.repeat(1_000));
});

test('a line cut anywhere, even just before its line break, never counts, and affects no other line', async () => {
  const line = `{"v":1,"day":"${day}","counts":[["a","click","x",5]]}\n`;
  for (let length = 0; length < line.length; length += 1) {
    await writeFile(dayFile(), line + line.slice(0, length));
    expect(await countsOf()).toEqual(new Map([['x', 5]]));
    const pulse = createPulse({ dir, onProblem: fail });
    pulse.count(click('x'));
    await pulse.save();
    expect([length, await countsOf()]).toEqual([length, new Map([['x', 6]])]);
  }
});

describe('servers that share a folder and are killed at random moments', () => {
  let loop: BundledScript;
  beforeAll(async () => {
    loop = await bundleScript(new URL('./count-loop.ts', import.meta.url));
  });
  afterAll(() => loop.remove());

  /** Resolves to how many saves it reported. */
  const countUntilKilled = async (site: string): Promise<number> => {
    const child = loop.start(dir, site);
    const whole = finished(child);
    const most = 1 + Math.floor(Math.random() * 40);
    let seen = 0;
    child.stdout.on('data', (text: string) => {
      seen += text.length;
      if (seen >= most && !child.killed) setTimeout(() => child.kill('SIGKILL'), Math.random() * 5);
    });
    const { out, err } = await whole;
    expect(err).toBe('');
    return out.length;
  };

  test('lose nothing that was saved, and count nothing twice', async () => {
    const reported = new Map<string, number>();
    const lane = async (name: string) => {
      for (let life = 0; life < 8; life += 1) {
        const site = `${name}${life}.example`;
        reported.set(site, await countUntilKilled(site));
      }
    };
    await Promise.all(['x', 'y', 'z'].map(lane));
    const counts = await countsOf();
    for (const [site, saves] of reported) {
      // The last click may have been saved and not yet reported.
      const count = counts.get(site) ?? 0;
      expect([site, count]).toEqual([site, Math.min(Math.max(count, saves), saves + 1)]);
    }
    expect([...counts.keys()].filter((site) => !reported.has(site))).toEqual([]);
    const lines = (await readFile(dayFile(), 'utf8')).split('\n').length;
    expect(lines).toBeLessThan([...reported.values()].reduce((sum, saves) => sum + saves, 0));
  });
});

test('a disk that is full now and then loses nothing and counts nothing twice', async ({ skip }) => {
  const disk = (await findFullDisks(dir)).find(({ name }) => name === 'a file system that is full');
  if (disk === undefined) return skip('nothing may be mounted here');
  const folder = await disk.open(dir);
  const step = fc.record({
    server: fc.nat(1),
    sites: fc.array(fc.nat(400), { maxLength: 300 }),
    disk: fc.constantFrom('fills', 'empties', 'stays'),
    saves: fc.boolean(),
  });
  try {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        run += 1;
        const pulseDir = join(folder, `pulse-${run}`);
        const open = () => createPulse({ dir: pulseDir, onProblem: () => undefined, compactFrom: 2_000 });
        const servers = [open(), open()] as const;
        const expected = new Map<string, number>();
        for (const { server, sites, disk: change, saves } of steps) {
          for (const site of sites.map(String)) {
            servers[server as 0].count(click(site));
            expected.set(site, (expected.get(site) ?? 0) + 1);
          }
          if (change === 'fills') await disk.fill(folder, process.pid);
          if (change === 'empties') await disk.makeRoom(folder, process.pid);
          if (saves) await Promise.all(servers.map((each) => each.save()));
        }
        await disk.makeRoom(folder, process.pid);
        for (const server of servers) await server.save();
        expect(await countsOf(pulseDir)).toEqual(expected);
        await rm(pulseDir, { recursive: true, force: true });
      }),
      { numRuns: 40 },
    );
  } finally {
    await disk.close(folder);
  }
});
