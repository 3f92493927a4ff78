import { describe, expect, test } from 'vitest';
import {
  checkEditors,
  editorsText,
  findEditor,
  hasExpired,
  isSameName,
  maxEditors,
  parseEditors,
} from '../../../src/server/desk/editors-document.ts';
import { ContentError } from '../../../src/server/stores/content/content.ts';
import { createRecordContent } from '../../../src/server/stores/content/record-content.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import { newEditors } from '../../support/editors.ts';

const { tokens, editors } = newEditors('anna', 'ben', 'cleo');
const lasting = editors.map((editor) => ({ ...editor, expires: '2999-12-31T18:00:00Z' }));

test('editors that were written are read as they were, and each is found by the own token alone', () => {
  for (const some of [[], editors, lasting])
    expect(parseEditors(editorsText(some))).toEqual({ editors: some });
  expect(parseEditors(undefined)).toEqual({ editors: [] });
  for (const [at, token] of Object.values(tokens).entries()) {
    expect(findEditor(editors, token)).toBe(editors[at]);
    const others = editors.filter((editor) => editor !== editors[at]);
    for (const [list, wrong] of [
      ...[[others, token] as const, [editors, `${token} `] as const],
      ...[[editors, token.slice(0, -1)] as const, [editors, editors[at]?.tokenHash ?? ''] as const],
    ])
      expect(findEditor(list, wrong)).toBeUndefined();
  }
});

describe('a file that cannot be right has no editors, and says where it is wrong and why', () => {
  const [first, ...others] = lasting;
  const second = (wrong: object) => editorsText([others[0], { ...first, ...wrong }] as typeof editors);
  const wrongValues = {
    name: ['', 'a\nb', 7],
    added: ['yesterday', '', 7],
    expires: ['2026-02-30T00:00:00Z', '', null],
    tokenHash: ['', 'g'.repeat(64), 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `x${'a'.repeat(64)}`],
  };
  test.each<readonly [what: string, problem: RegExp, text: string]>([
    ['half a file', /^it is not valid JSON$/, '{'],
    ['a number', /^the file: .*\w/, '7'],
    ['a list', /^version: .*\w/, '[]'],
    ['a later version', /^version: .*version 1/, '{"version":2,"editors":[]}'],
    ['no list', /^editors: .*\w/, '{"version":1}'],
    ['too many', /^editors: .*\d{3}/, editorsText(Array(maxEditors + 1).fill(first))],
    ...Object.entries(wrongValues).flatMap(([name, values]) =>
      values.map(
        (value) =>
          [
            `the ${name} ${value}`,
            RegExp(`^editors\\[1\\]\\.${name}: .*\\w`),
            second({ [name]: value }),
          ] as const,
      ),
    ),
  ])('%s', async (_, problem, text) => {
    const parsed = parseEditors(text);
    const found = 'problem' in parsed ? parsed.problem : '';
    expect(found).toMatch(problem);
    const content = createRecordContent(createMemoryRecords(), 'a store');
    await content.update('editors.json', () => ({ text, result: undefined }));
    const message = expect.stringContaining(found);
    const problems = [{ file: content.nameOf('editors.json'), message }];
    expect(await checkEditors(content)).toEqual({ problems, hints: [] });
  });

  test('as many editors as are allowed are not too many', () => {
    expect(parseEditors(editorsText(Array(maxEditors).fill(first)))).toHaveProperty('editors');
  });
});

test('a check finds nothing in right editors, and says so where only their owner may read them', async () => {
  const content = createRecordContent(createMemoryRecords(), 'a store');
  expect(await checkEditors(content)).toEqual({ problems: [], hints: [] });
  const failing = (error: Error) => ({ ...content, read: () => Promise.reject(error) });
  const { problems, hints } = await checkEditors(failing(new ContentError('it may not be read')));
  expect([problems, hints]).toEqual([
    [],
    [{ file: expect.stringContaining('editors.json'), message: expect.stringContaining('may not be read') }],
  ]);
  await expect(checkEditors(failing(new Error('a fault')))).rejects.toThrow('a fault');
});

test('names are the same whatever their case, blanks around them and form of Unicode', () => {
  for (const other of ['ada é', ' ADA É\n', 'Ada e\u0301', 'ａda é'])
    expect(isSameName('Ada é', other)).toBe(true);
  for (const other of ['Ada', 'Ada e', 'Adaé']) expect(isSameName('Ada é', other)).toBe(false);
});

test('a token is valid up to the instant of its end, and for ever without one', () => {
  const end = Date.parse('2026-06-01T00:00:00Z');
  const editor = { expires: '2026-06-01T00:00:00Z' };
  expect([end - 1, end, end + 1].map((now) => hasExpired(editor, now))).toEqual([false, true, true]);
  expect(hasExpired({}, end)).toBe(false);
});
