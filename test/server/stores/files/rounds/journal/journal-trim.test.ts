import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rewriteJournal } from '../../../../../../src/server/stores/files/rounds/journal/journal-trim.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-trim-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const freeLock = { confirm: async () => undefined };

test('law: exactly the lines that should stay are there afterwards, in their order, and none is joined with another', async () => {
  const path = join(dir, 'law.jsonl');
  const line = fc.stringMatching(/^[a-z]{1,6}$/);
  const gap = fc.constantFrom('\n', '\n\n', '\n\n\n');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(line, gap)), fc.nat(6), async (lines, mostLetters) => {
      await writeFile(path, lines.map(([text, space]) => text + space).join(''));
      await rewriteJournal(path, freeLock, ({ length }) => length <= mostLetters);
      const stays = lines.map(([text]) => text).filter((text) => text.length <= mostLetters);
      expect((await readFile(path, 'utf8')).split('\n').filter(Boolean)).toEqual(stays);
    }),
    { numRuns: 100 },
  );
});

test('what another server appends in the meantime stays, whether its last line is finished or not', async () => {
  for (const end of ['', '\n']) {
    const path = join(dir, 'shared.jsonl');
    await writeFile(path, 'goes\nstays\n');
    const lock = { confirm: () => appendFile(path, `\nlater\nlast${end}`) };
    await rewriteJournal(path, lock, (line) => line.toString() === 'stays');
    expect((await readFile(path, 'utf8')).split('\n').filter(Boolean)).toEqual(['stays', 'later', 'last']);
  }
});

test('many journals of megabytes are rewritten at once in little memory', async () => {
  const text = `${'x'.repeat(100_000)}\n`.repeat(80);
  const paths = Array.from({ length: 12 }, (_, at) => join(dir, `${at}.jsonl`));
  for (const path of paths) await writeFile(path, text);
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }, 1);
  await Promise.all(paths.map((path) => rewriteJournal(path, freeLock, () => true)));
  clearInterval(sampling);
  for (const path of paths) expect((await readFile(path)).length).toBeGreaterThan(text.length - 100);
  expect(most - before).toBeLessThan(40 * 1024 * 1024);
});
