import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nothingTyped, requestOf } from '../../content/desk/written.ts';
import {
  fieldNames,
  fieldOf,
  fieldOptionNames,
  fieldOptions,
  publicNames,
  type StoredAnnouncement,
  setFields,
} from '../../src/announcements/fields.ts';
import {
  checkPlainValues,
  newFieldProblem,
  plainNames,
  plainOf,
} from '../../src/announcements/plain-values.ts';
import { isSameValue } from '../../src/announcements/values/object-parts.ts';
import { packageFile } from '../../src/kit/package-files.ts';

test('readers get each optional field that editors set, but for the one that orders announcements', () => {
  const isPublic = (name: string) => publicNames.some((publicName) => publicName === name);
  const isSet = (name: (typeof fieldNames)[number]) => fieldOf(name).options !== undefined;
  const optional = fieldNames.filter((name) => fieldOf(name).presence === 'optional' && isSet(name));
  expect(optional.filter((name) => !isPublic(name))).toEqual(['alongside']);
});

test('whatever is said of a field is words: a label of its own, sentences for requests, and phrases for options', () => {
  const labels = new Set<string>();
  for (const name of fieldNames) {
    const { label, meaning, remark, kind } = fieldOf(name);
    if (name !== 'id') expect(label).toMatch(/^\p{Lu}\p{Ll}+(?: \p{Ll}+)*$/u);
    expect(labels).not.toContain(label);
    labels.add(label ?? '');
    if (meaning !== undefined) expect(meaning).toMatch(/^[\p{Lu}`].*\w.*\.$/u);
    if (kind === 'flag') expect(remark).toMatch(/^\p{Ll}+(?: \p{Ll}+)+$/u);
  }
  for (const command of ['publishOptions', 'editOptions'] as const) {
    const options = fieldOptions(command);
    for (const [flags, said] of options) {
      expect(flags).toMatch(/^--[a-z]+(?:-[a-z]+)*(?: <[a-z]+(?:=[a-z]+)?>)?$/);
      expect(said).toMatch(/^\p{Ll}.*[^.]$/u);
    }
    expect(new Set(options.map(([flags]) => flags)).size).toBe(options.length);
    const names = options.map(([flags]) => new Option(flags).attributeName());
    expect(fieldOptionNames(command)).toEqual([...new Set(names)]);
  }
});

test('law: a problem that says what would be right keeps all of its sentence, in two parts', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.option(fc.string().map((text) => text.replaceAll(';', ','))),
      (wrong, right) => {
        const problem = right === null ? wrong.replaceAll(';', ',') : `${wrong}; ${right}`;
        const found = newFieldProblem('link', { problem, at: 'de' });
        expect(found).toEqual({
          field: 'link.de',
          problem: right === null ? problem : wrong,
          fix: right ?? undefined,
        });
        expect(newFieldProblem('link', { problem }).field).toBe('link');
      },
    ),
  );
});

test('a rule accepts a value that it has accepted before, and leaves it unchanged', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(...fieldNames), (text, name) => {
      const { parse } = fieldOf(name);
      const first = parse(text);
      if ('problem' in first || first.value === undefined) return;
      expect(parse(first.value)).toMatchObject({ value: first.value });
    }),
  );
});

test('law: two JSON values are the same exactly when they are written the same, whatever the order of fields', () => {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, part]) => [name, sorted(part)] as const);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const any = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
  const small = fc.oneof(
    any,
    fc.constantFrom<unknown>([], {}, null, [1], { 0: 1 }, { 1: 0 }, { 0: 1, 1: 0 }),
  );
  fc.assert(
    fc.property(small, small, (a, b) => {
      expect(isSameValue(a, JSON.parse(JSON.stringify(a)))).toBe(true);
      expect(isSameValue(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
    }),
  );
});

const entry: StoredAnnouncement = {
  id: 'a',
  message: 'Hello',
  link: '',
  published: '2026-01-01T00:00:00Z',
  expires: '2026-02-01T00:00:00Z',
};

test('the desk can write every field that an editor may change, and offers every choice', () => {
  const page = readFileSync(packageFile('content', 'desk', 'desk.html'), 'utf8');
  const fields = Object.fromEntries([...page.matchAll(/ name="(\w+)"/g)].map(([, name]) => [name, '']));
  for (const name of plainNames) {
    const { kind, choices = [] } = fieldOf(name);
    expect(requestOf({ ...nothingTyped, fields, markdown: name === 'markdown' })).toHaveProperty(name);
    if (kind !== 'nested') expect(page).toContain(` name="${name}"`);
    for (const choice of choices.slice(1)) expect(page).toContain(`<option value="${choice}">`);
  }
});

describe('a value is checked by the rule of its field', () => {
  test.each([
    ['published', 'x', '"x" is not a time; write it like 2026-12-31T18:00:00Z'],
    ['severity', 'urgent', '"urgent" is not a severity; write info, success, warning or critical'],
    ['severity', 3, 'that is not a severity'],
    ['linkLabel', 3, 'the link label is not a text'],
  ] as const)('%s %j is refused: %s', (name, value, problem) => {
    expect(fieldOf(name).parse(value as string)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test.each([
    ['id', 'spring', { value: 'spring' }],
    ['expires', '2026-12-31T18:00:00.5+01:00', { value: '2026-12-31T17:00:00Z' }],
    ['severity', 'info', { value: undefined }],
    ['severity', 'critical', { value: 'critical' }],
    ['alongside', true, { value: true }],
    ['alongside', false, { value: undefined }],
    ['alongside', 'yes', { value: undefined }],
    ['dismissible', false, { value: false }],
    ['dismissible', true, { value: undefined }],
  ] as const)('%s %j is stored as %j', (name, value, stored) => {
    expect(fieldOf(name).parse(value)).toEqual(stored);
  });
});

test('what an option does not set stays, and --dismissible and its opposite set one field', () => {
  expect(Object.values(plainOf({})).every((value) => value === undefined)).toBe(true);
  expect(plainOf({ dismissible: true, link: false, severity: 'warning' })).toMatchObject({
    dismissible: true,
    link: false,
    severity: 'warning',
  });
  expect(plainOf({ dismissible: true, notDismissible: true }).dismissible).toBe(false);
  expect(plainOf({ audience: { sites: [] }, translations: {} })).toMatchObject({
    audience: undefined,
    translations: undefined,
  });
});

test('one spelling of the message replaces the other', () => {
  const before = {
    ...entry,
    markdown: '*Hello*',
    translations: { de: { message: 'Hallo', markdown: '*Hallo*' } },
  };
  const becomes = (given: object) => checkPlainValues(given, before).values;
  expect(becomes({ markdown: '**Bye**' })).toEqual({ message: 'Bye', markdown: '**Bye**' });
  expect(becomes({ message: 'Bye' })).toEqual({ message: 'Bye', markdown: undefined });
  expect(becomes({ markdown: null })).toEqual({ message: 'Hello', markdown: undefined });
  expect(becomes({ translations: { de: { message: 'Ade' }, fr: { markdown: '`Salut`' } } })).toEqual({
    translations: { de: { message: 'Ade' }, fr: { message: 'Salut', markdown: '`Salut`' } },
  });
  expect(checkPlainValues({ message: 'a', markdown: '*b*' }).problems).toMatchObject([{ field: 'message' }]);
  expect(checkPlainValues({ translations: { de: { markdown: '[a](b:)' } } }).problems).toMatchObject([
    { field: 'translations.de.markdown' },
  ]);
});

test('with --markdown, the texts of the command are formatted', () => {
  expect(plainOf({ markdown: true, message: '*a*', translation: ['de=*b*'] })).toMatchObject({
    markdown: '*a*',
    message: undefined,
    translations: { de: { markdown: '*b*' } },
  });
});

test('visitors get these optional fields where they are set, and no others', () => {
  const optional = {
    markdown: '*Hello*',
    severity: 'warning',
    dismissible: false,
    linkLabel: 'Read',
    translations: { de: { message: 'Hallo' } },
    audience: { paths: ['/docs/*'] },
  } as const;
  expect(setFields({ ...entry, ...optional, alongside: true, expired: entry.expires }, publicNames)).toEqual(
    optional,
  );
  expect(setFields(entry, publicNames)).toStrictEqual({});
});
