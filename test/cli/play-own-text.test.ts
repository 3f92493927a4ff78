import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCustomList, readCustomText } from '../../src/cli/commands/play/custom-text.ts';
import type { CustomText } from '../../src/tui/record/options.ts';
import { createTextPlaces } from '../../src/tui/record/text-places.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'typebadge-text-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function readWhole(content: string | Buffer, keys: ReadonlySet<string> = new Set()): Promise<CustomText> {
  const file = join(dir, 'text.txt');
  writeFileSync(file, content);
  return readCustomText(file, { places: createTextPlaces(dir), isStartOver: false, keys });
}

/** What becomes of a file with these bytes: its text, or why it is refused. */
function read(content: string | Buffer): Promise<string> {
  return readWhole(content).then(
    ({ text }) => text,
    (error: Error) => error.message.replace(join(dir, 'text.txt'), 'text.txt'),
  );
}

test('a text in another encoding is refused with the command that converts it, not shown garbled', async () => {
  for (const encoding of ['latin1', 'utf16le'] as const)
    expect(await read(Buffer.from('\ufeffEin schöner Tag', encoding))).toBe(
      'the text from "text.txt" is not UTF-8: convert it first (iconv -f latin1 -t utf-8 old.txt > new.txt).',
    );
  expect(await read('\ufeffEin schöner Tag')).toBe('Ein schöner Tag');
});

test.each([
  ['a 🎉 day', 'a  day', 1],
  ['a day ❤️ 👍🏽', 'a day  ', 2],
  ['line\none 👩‍👩‍👧 day', 'line\none  day', 1],
  ['1️⃣ day', ' day', 1],
  ['\u202ea\x1b[31m day', 'a[31m day', 2],
  ['sch\ufffdn', 'schn', 1],
  ['a \ue0b0 day\u2800', 'a  day', 2],
  ['one\u0085two', 'one\u0085two', 0],
  ['soft\u00adhyphen', 'softhyphen', 0],
])('untypable characters are left out, and one sentence counts them: %j', async (text, typed, count) => {
  const read = await readWhole(text);
  expect(read.text).toBe(typed);
  if (count === 0) expect(read.notice).toBeUndefined();
  else expect(read.notice).toContain(`${count} character`);
});

test('typographic quotes, dashes and blanks become those of the layout', async () => {
  expect(await read('“It’s – ‘so’ — she said…”\u00a0«no»')).toBe('"It\'s - \'so\' - she said..." "no"');
  expect((await readWhole('«Ça» – “va”', new Set('«»'))).text).toBe('«Ça» - "va"');
});

test('characters that some keyboard has are kept as they are', async () => {
  const text = 'Copyright © ® ™ → ∀ 20 € 日本語 naïve №5 ☺ a\u0308';
  expect(await read(text)).toBe(text);
});

test('a list of words is read from any text, each word once; what does not fit is named', async () => {
  const list = async (text: string) => {
    const file = join(dir, 'list.txt');
    writeFileSync(file, text);
    return readCustomList(file, new Set()).then(
      ({ list }) => list,
      (error: Error) => error.message,
    );
  };
  const ten = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', "don't"];
  expect(await list(`# my words\n${ten.join('\n').replace("'", '’')}  one\n`)).toEqual(ten);
  expect(await list('one two two')).toContain('2 different words; a list needs 10 to 2000');
  expect(await list(`${ten.join(' ')} ${'x'.repeat(33)}`)).toContain('at most 32 characters');
  expect(await list(ten.map((word) => `${word}א`).join(' '))).toContain('right to left');
});
