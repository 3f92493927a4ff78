import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCustomText } from '../../../src/cli/commands/play/custom-text.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import { createTextPlaces } from '../../../src/tui/record/text-places.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'typebadge-places-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const open = () => createTextPlaces(dir);
const keys = new Set<string>();
const novel = Array.from({ length: 400 }, (_, at) => `Sentence number ${at} of a long story.`).join(' ');

test('the next start continues after the last part typed, whatever the name of the file, and can start over', async () => {
  const file = join(dir, 'novel.txt');
  writeFileSync(file, novel);
  const first = await readCustomText(file, { places: open(), isStartOver: false, keys });
  expect(first.title).toBe('novel.txt 0 %');
  const second = await first.next?.(defaultOptions);
  const renamed = join(dir, 'other.txt');
  writeFileSync(renamed, novel);
  const later = await readCustomText(renamed, { places: open(), isStartOver: false, keys });
  expect(later.text).toBe(second?.text);
  expect(later.title).toMatch(/^other\.txt 1\d %$/);
  expect((await readCustomText(renamed, { places: open(), isStartOver: true, keys })).text).toBe(first.text);
});

test('after the last part, the first one follows', async () => {
  const file = join(dir, 'novel.txt');
  writeFileSync(file, novel);
  const first = await readCustomText(file, { places: open(), isStartOver: false, keys });
  let part = first;
  let parts = 0;
  do {
    part = (await part.next?.(defaultOptions)) ?? part;
    parts++;
  } while (part.text !== first.text && parts < 100);
  expect(parts).toBeGreaterThan(5);
  expect(parts).toBeLessThan(30);
});

test('places are kept for the last 100 texts, without their contents', async () => {
  const places = open();
  for (let at = 0; at < 105; at++) await places.keep(`secret ${at}`, at + 1);
  const kept = readFileSync(join(dir, 'texts.json'), 'utf8');
  expect(Object.keys(JSON.parse(kept))).toHaveLength(100);
  expect(kept).not.toContain('secret');
  expect([await places.find('secret 104'), await places.find('secret 0')]).toEqual([105, 0]);
});
