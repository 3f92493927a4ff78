import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../../support/http-client.ts';
import { startServeProcess } from '../../support/typebadge-process.ts';
import { newStoredRound, toRoundId, withRounds } from './stored-rounds.ts';

/** Milliseconds after which an answer counts as missing. */
const patience = 30_000;
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

describe('a server whose rounds are damaged lists and counts all intact ones, logs it once, and stops when asked to', () => {
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
  ])('$what', { timeout: 4 * patience }, async ({ file, damage, lost }) => {
    for (const isFolded of [true, false]) {
      const data = await mkdtemp(join(root, 'data-'));
      cpSync(original, data, { recursive: true });
      const path = roundFiles(data).at(file) as string;
      const left = count - lost(path);
      damage(path);
      if (!isFolded) for (const each of filesOf(data, /\/folded\/local\.\d+$/)) rmSync(each);
      const messages: string[] = [];
      for (const expected of [left, left + 1]) {
        const server = await startServeProcess(['--data', data]);
        const get = async (target: string) => {
          const late = sleep(patience, undefined, { ref: false }).then(() => ({ status: 0, body: '' }));
          const { status, body } = await Promise.race([send(server.port, { path: target }), late]);
          return { status, body: String(body) };
        };
        try {
          const ids = new Set<string>();
          for (let after = ''; ; ) {
            const { status, body } = await get(`/api/rounds?limit=20${after}`);
            expect(status).toBe(200);
            const page = JSON.parse(body);
            for (const { id } of page.rounds) ids.add(id);
            if (page.next === undefined) break;
            after = `&after=${page.next}`;
          }
          expect(ids.size).toBe(expected);
          expect((await get('/health')).status).toBe(200);
          if (expected === left)
            await withRounds(data, (rounds) => rounds.add('local', newStoredRound(toRoundId(900))));
        } finally {
          server.child.kill('SIGTERM');
          const late = sleep(patience, undefined, { ref: false }).then(() => server.child.kill('SIGKILL'));
          await Promise.race([server.finished, late]);
        }
        const { code, stdout, stderr } = await server.finished;
        expect(code).toBe(0);
        messages.push(...(stdout + stderr).split('\n').filter((line) => line.includes('"level":"error"')));
      }
      if (existsSync(path)) expect(messages.join('\n')).toMatch(/^[^\n]*damaged[^\n]*local\.\d[^\n]*$/);
      else expect(messages.join('\n')).toMatch(/missing[^\n]*local\.\d/);
    }
  });
});
