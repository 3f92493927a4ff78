import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/server/settings/log.ts';
import { openFileStores } from '../../../src/server/stores/open-stores.ts';
import { newStoredRound, toRoundId, withRounds } from './stored-rounds.ts';

const count = 60;
let root: string;
let original: string;

/** Rounds over several files, and the history of them that is kept. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'typebadge-damaged-'));
  original = join(root, 'original');
  const words = Array.from({ length: 300 }, (_, at) => `${'zqxjxqz'.repeat(3)}${at}`);
  await withRounds(original, async (rounds) => {
    for (let number = 1; number <= count; number += 1)
      await rounds.add('local', newStoredRound(toRoundId(number), words));
  });
  expect(roundFiles(original).length).toBeGreaterThan(3);
});
afterAll(() => rm(root, { recursive: true, force: true }));

function roundFiles(data: string): string[] {
  return filesOf(data, /\/rounds\/local\.\d+$/).sort();
}

function filesOf(data: string, pattern: RegExp): string[] {
  return readdirSync(data, { recursive: true, encoding: 'utf8' })
    .map((name) => join(data, name))
    .filter((path) => pattern.test(path));
}

function linesOf(path: string): number {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('=')).length;
}

function flip(path: string, place: (length: number) => number): void {
  const bytes = readFileSync(path);
  const at = place(bytes.length);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}

const half = (length: number) => length >> 1;
const begin = () => 30;

describe('of damaged rounds, all intact ones are listed and counted, and the damage is logged once', () => {
  it.each([
    { what: 'a bit of the first file', file: 0, damage: (path: string) => flip(path, half), lost: () => 1 },
    { what: 'a bit of an older file', file: 2, damage: (path: string) => flip(path, half), lost: () => 1 },
    {
      what: 'the beginning of an older file',
      file: 2,
      damage: (path: string) => flip(path, begin),
      lost: () => 0,
    },
    { what: 'an older file', file: 2, damage: (path: string) => rmSync(path), lost: linesOf },
    {
      what: 'the first change of the first file',
      file: 0,
      damage: (path: string) => flip(path, begin),
      lost: () => 1,
    },
    {
      what: 'the beginning of the last file',
      file: -1,
      damage: (path: string) => flip(path, begin),
      lost: () => 0,
    },
    {
      what: 'a bit of the last file',
      file: -1,
      damage: (path: string) => flip(path, half),
      lost: () => 1,
    },
  ])('$what', async ({ file, damage, lost }) => {
    for (const isFolded of [true, false]) {
      const data = await mkdtemp(join(root, 'data-'));
      cpSync(original, data, { recursive: true });
      const path = roundFiles(data).at(file) as string;
      const left = count - lost(path);
      damage(path);
      if (!isFolded) for (const each of filesOf(data, /\/folded\/local\.\d+$/)) rmSync(each);
      const messages: string[] = [];
      const log = createLog({ format: 'json', write: (line) => void messages.push(line) });
      for (const expected of [left, left + 1]) {
        const stores = await openFileStores({
          ...{ dataDir: data, contentDir: data, sessionTtl: 60_000, maxSessions: 9 },
          ...{ roundQuota: 1e12, clock: Date.now, log },
        });
        const { rounds } = stores;
        const ids: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await rounds.list('local', { limit: 20, after });
          ids.push(...(page?.rounds ?? []).map(({ id }) => id));
          if (page?.next === undefined) break;
          after = page.next;
        }
        expect(ids.length).toBe(expected);
        expect(new Set(ids).size).toBe(expected);
        // What was kept of the lines may be newer than the damage.
        const { rounds: counted } = await rounds.history('local');
        if (!isFolded) expect(counted).toBe(expected);
        if (expected === left)
          expect(await rounds.add('local', newStoredRound(toRoundId(900)))).toBe('added');
        await stores.close();
      }
      if (existsSync(path)) expect(messages.join('').trim()).toMatch(/^[^\n]*damaged[^\n]*local\.\d[^\n]*$/);
      else expect(messages.join('')).toMatch(/missing[^\n]*local\.\d/);
    }
  });
});
