import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLinesBackward } from '../../../src/kit/files/backward-lines.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-backward-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function readBackward(text: string, end = Buffer.byteLength(text)) {
  const path = join(dir, 'lines');
  await writeFile(path, text);
  const file = await open(path, 'r');
  const found: { line: string; at: number }[] = [];
  for await (const { line, at } of readLinesBackward(file, end))
    found.push({ line: line.toString('latin1'), at });
  await file.close();
  return found;
}

it('lines come last first with their offsets, wherever the chunks end', async () => {
  // Around the size of a part, 64 KiB, as well as far below it.
  const length = fc.oneof(fc.nat(5), fc.integer({ min: 65_530, max: 65_540 }), fc.nat(200_000));
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 8 }), fc.boolean(), async (lengths, isWhole) => {
      const lines = lengths.map((size, at) => String(at % 10).repeat(size));
      const text = lines.join('\n') + (isWhole ? '\n' : '');
      let at = 0;
      const placed = lines.map((line) => {
        const place = { line, at };
        at += line.length + 1;
        return place;
      });
      expect(await readBackward(text)).toEqual(placed.filter(({ line }) => line !== '').reverse());
    }),
    { numRuns: 60 },
  );
});

it('nothing after the given offset is read', async () => {
  expect(await readBackward('one\ntwo\nthree\n', 8)).toEqual([
    { line: 'two', at: 4 },
    { line: 'one', at: 0 },
  ]);
});

it('reading ends if the file is shorter than expected', async () => {
  expect(await readBackward('one\n', 200_000)).toEqual([]);
});
