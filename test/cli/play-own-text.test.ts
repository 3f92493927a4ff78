import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOwnText } from '../../src/cli/commands/play/own/own-text.ts';
import { writeWholeFile } from '../../src/kit/files/whole-file.ts';
import { createTextPlaces } from '../../src/tui/record/text-places.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'typebadge-text-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** What becomes of a file with these bytes: its text, or why it is refused. */
async function read(content: string | Buffer): Promise<string> {
  const file = join(dir, 'text.txt');
  writeFileSync(file, content);
  const options = { places: createTextPlaces(dir, writeWholeFile), isStartOver: false };
  return readOwnText(file, options).then(
    ({ text }) => text,
    (error: Error) => error.message.replace(file, 'text.txt'),
  );
}

test('a text in another encoding is refused with how to convert it, not shown with signs that nobody can read', async () => {
  expect(await read(Buffer.from('Ein schöner Tag für Käse', 'latin1'))).toBe(
    'the text from "text.txt" is not UTF-8. If it is Latin-1, convert it: iconv -f latin1 -t utf-8 old.txt > new.txt',
  );
  expect(await read(Buffer.from('\ufeffEin Tag', 'utf16le'))).toBe('the text from "text.txt" is not UTF-8.');
  expect(await read('\ufeffEin schöner Tag')).toBe('Ein schöner Tag');
});

test.each([
  ['a 🎉 day', 'an emoji in its word 2'],
  ['a day ❤️', 'an emoji in its word 3'],
  ['line\none 👩‍👩‍👧 day', 'an emoji in its word 3'],
  ['1️⃣ day', 'an emoji in its word 1'],
  ['sch\ufffdn', 'a \ufffd from a failed conversion in its word 1'],
])('a text with what no key types is refused: %j', async (text, what) => {
  expect(await read(text)).toBe(`the text from "text.txt" holds ${what}, which no key types.`);
});

test('signs that some keyboard has are typed as they are', async () => {
  const text = 'Copyright © ® ™ → ∀ “quoted” – 20 € 日本語 naïve №5 ☺ a\u0308';
  expect(await read(text)).toBe(text);
});
