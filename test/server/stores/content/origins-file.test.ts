import { expect, test } from 'vitest';
import { originsText, parseOriginsFile } from '../../../../src/server/stores/content/content-store.ts';

test('a text of origins keeps whatever else was in it, also behind the mark that some editors put first', () => {
  for (const mark of ['\uFEFF', '']) {
    const before = `${mark}{"comment":"ours \uFEFF","origins":["https://a.example"]}`;
    const text = originsText(['https://b.example'], before);
    expect(JSON.parse(text)).toEqual({ comment: 'ours \uFEFF', origins: ['https://b.example'] });
    expect(text.endsWith('}\n')).toBe(true);
  }
});

test.each([
  ['['.repeat(100), 'this is not valid JSON'],
  ['['.repeat(101), 'more than 100 brackets are open inside each other'],
  ['{}', '"origins" is missing'],
  ['{"origins":"https://a.example"}', 'expected a list [ … ] here, found "https://a.example"'],
  ['{"origins":[7]}', 'expected a text here, found 7'],
  ['[]', '"origins" is missing'],
  ['{"origins":["a b"]}', '"a b" is not an origin'],
])('%s is no list of origins', (text, message) => {
  const problem = expect.objectContaining({ line: 1, message: expect.stringContaining(message) });
  expect(parseOriginsFile(text)).toEqual({ problems: [problem] });
});

test('every invalid origin is reported with its line, and none of the file counts', () => {
  const text = '{"origins":[\n"https://a.example",\n"a.example",\n"https://b.example/page"\n]}';
  const place = (line: number, index: number) => ({
    line,
    path: `origins[${index}]`,
    message: expect.any(String),
  });
  expect(parseOriginsFile(text)).toEqual({ problems: [place(3, 1), place(4, 2)] });
  expect(parseOriginsFile(text.replace('"a.', '"https://c.').replace('/page', ''))).toHaveProperty(
    'patterns.length',
    3,
  );
});
