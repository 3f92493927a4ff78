import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import {
  damagedLogHint,
  historyText,
  logText,
  parseHistory,
} from '../../../../src/server/stores/content/history-file.ts';

const entry = {
  id: '2026-001',
  message: 'Hello',
  link: 'https://example.org/x',
  published: '2026-01-01T00:00:00Z',
  expires: '2026-02-01T00:00:00Z',
};

const published = {
  at: entry.published,
  by: 'ada',
  action: 'publish' as const,
  id: entry.id,
  before: null,
  after: entry,
};

function problems(file: unknown, log = ''): string[] {
  const result = parseHistory(typeof file === 'string' ? file : JSON.stringify(file, null, 2), log);
  if ('history' in result) return [];
  return result.problems.map(({ line, path, message }) =>
    [line, path, message].filter((part) => part !== undefined).join(' '),
  );
}

test('a file written by hand only needs announcements', () => {
  expect(parseHistory(JSON.stringify({ announcements: [entry] }))).toEqual({
    history: { version: 1, announcements: [entry], changes: [] },
  });
});

test('the public document of another server can be used as a file; derived fields are derived again', () => {
  const document = { announcements: [{ ...entry, active: false }], lastUpdated: '2026-01-01T00:00:00.000Z' };
  expect(parseHistory(JSON.stringify(document))).toEqual({
    history: { version: 1, announcements: [entry], changes: [] },
  });
});

test('instants are normalised, texts are trimmed, defaults are left out, a link may be left out', () => {
  const { link: _, ...bare } = entry;
  const loose = {
    ...bare,
    message: ' Hello ',
    published: '2026-01-01T01:00:00.999+01:00',
    expires: '2026-02-01T00:00Z',
    ...{ severity: 'info', dismissible: true, alongside: false },
  };
  expect(parseHistory(JSON.stringify({ announcements: [loose] }))).toStrictEqual({
    history: { version: 1, announcements: [{ ...entry, link: '' }], changes: [] },
  });
});

test('a message may be left out if there is Markdown, whose plain text it is', () => {
  const { message, ...bare } = entry;
  const read = (...announcements: object[]) => parseHistory(JSON.stringify({ announcements }));
  expect(read({ ...bare, markdown: `*${message}*` })).toMatchObject({
    history: { announcements: [{ ...entry, markdown: `*${message}*` }] },
  });
  for (const markdown of [undefined, 7, null])
    expect(problems({ announcements: [{ ...bare, markdown }] })[0]).toMatch(
      /announcements\[0\]\.(?:message "message" is missing|markdown expected a text)/,
    );
});

test('a written file is read unchanged, including unknown fields', () => {
  const file = {
    version: 1,
    announcements: [{ ...entry, alongside: true, note: 'for the board' }],
    changes: [
      { at: entry.published, by: 'ada', action: 'publish', id: entry.id, before: null, after: entry },
      { at: entry.published, by: 'ben', action: 'undo', id: entry.id, before: entry, after: null, undoes: 1 },
    ],
    office: 'Bonn',
  };
  const { changes, ...rest } = file;
  const log = changes.map((change) => `${JSON.stringify(change)}\n`).join('');
  const result = parseHistory(JSON.stringify(rest), log);
  expect(result).toEqual({ history: file });
  if ('problems' in result) return;
  expect(parseHistory(historyText(result.history), logText(result.history.changes))).toEqual(result);
});

test('all problems are named at once, with line and place', () => {
  const file = {
    announcements: [
      { ...entry, expires: '2025-01-01T00:00:00Z' },
      { ...entry, id: 'b', link: 'javascript:alert(1)' },
      { ...entry, id: '../c', message: '', published: '2026-02-30T00:00:00Z' },
      { id: 'd', message: 5 },
      'words',
      { ...entry, id: 'e', alongside: 'yes' },
      { ...entry, id: 'f', translations: { de: { message: '' } } },
      { ...entry, id: 'g', translations: 7 },
    ],
  };
  expect(problems(file)).toEqual([
    '8 announcements[0].expires expires must be after published',
    '13 announcements[1].link the link starts with "javascript:"; only http: and https: are allowed',
    '18 announcements[2].id "../c" cannot be an id; an id is 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit',
    '19 announcements[2].message the message is empty; write 1 to 280 characters',
    '21 announcements[2].published "2026-02-30T00:00:00Z" is not a time; write it like 2026-12-31T18:00:00Z',
    '26 announcements[3].message expected a text here, found 5',
    '24 announcements[3].published "published" is missing',
    '24 announcements[3].expires "expires" is missing',
    '28 announcements[4] expected an object { … } here, found "words"',
    '35 announcements[5].alongside expected true or false here, found "yes"',
    '43 announcements[6].translations translations.de.message: the message is empty; write 1 to 280 characters',
    expect.stringMatching(/^55 announcements\[7\]\.translations expected an object/),
  ]);
});

test('a byte order mark is accepted', () => {
  expect(problems(`\uFEFF${JSON.stringify({ announcements: [entry] })}`)).toEqual([]);
});

test('an id that is used twice is named with its line', () => {
  expect(problems({ announcements: [entry, { ...entry, id: 'b' }, entry] })).toEqual([
    '18 announcements[2].id the id 2026-001 is taken by an earlier announcement; every id is used once',
  ]);
});

test.each([
  ['', '1 this is not valid JSON'],
  ['{"announcements": [\n  {},\n]}', '3 this is not valid JSON: a comma'],
  ['{"announcements": []\n"changes": []}', '2 this is not valid JSON: a comma'],
  ['{"announcements": [\n{"id": "a', '2 this is not valid JSON'],
  ['{"announcements": [{"id":\n"a\nb"}]}', 'this is not valid JSON: a text holds a line break'],
  [`{"announcements":[],"x":${'['.repeat(100_000)}`, '1 more than 100 brackets'],
  [`{"announcements":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, '1 more than 100 brackets'],
  [`{\n"x":${'['.repeat(101)}`, '2 more than 100 brackets'],
  [`{\n"x":${'['.repeat(99)}]`, 'this is not valid JSON'],
  [`{\n"x":${'{"y":'.repeat(101)}`, '2 more than 100 brackets'],
  [`{"announcements": [${'[[], {}], '.repeat(99)}\n[]`, '2 this is not valid JSON'],
  ['null', '1 expected an object { … } here, found null'],
  ['{"version": 2, "announcements": []}', '1 version this version of typebadge reads version 1 only'],
  ['{}', '1 announcements "announcements" is missing'],
  ['{"announcements": {}}', '1 announcements expected a list [ … ] here, found an object { … }'],
])('%.60j is refused', (text, message) => {
  expect(problems(text)).toEqual([expect.stringContaining(message)]);
});

test('an undo refers to an earlier change, and no other change does', () => {
  const change = { at: entry.published, by: 'x', action: 'undo', id: 'a', before: null, after: null };
  const message = 'an undo, and only an undo, names an earlier change by its number';
  for (const bad of [
    change,
    { ...change, undoes: 1 },
    { ...change, undoes: 2 },
    { ...change, action: 'edit', undoes: 1 },
  ]) {
    expect(problems({ announcements: [] }, `\n${JSON.stringify(bad)}\n`)).toEqual([
      `2 undoes ${message}${damagedLogHint}`,
    ]);
  }
});

test('what is wrong in the log is named with its line', () => {
  const good = JSON.stringify(published);
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  const changed = (change: object) => JSON.stringify({ ...published, ...change });
  const bad = ['{', changed({ at: 'now' }), '7', deep, changed({ action: 'undo', undoes: 0 })];
  const log = `${[good, ...bad].join('\n')}\n`;
  expect(parseHistory('{"announcements":[]}', log)).toMatchObject({ file: 'changes.jsonl' });
  expect(problems({ announcements: [] }, log)).toEqual([
    expect.stringMatching(/^2 this is not valid JSON/),
    expect.stringMatching(/^3 at "now" is not a time/),
    expect.stringMatching(/^4 expected an object/),
    expect.stringMatching(/^5 more than 100 brackets/),
    expect.stringMatching(/^6 undoes .*>=1 but received 0/),
  ]);
});

test('a log inside of history.json is refused, so that nobody loses it', () => {
  expect(problems({ announcements: [], changes: [] })).toEqual([]);
  expect(problems({ announcements: [], changes: [{}] })).toEqual([
    expect.stringContaining('belongs in changes.jsonl'),
  ]);
});

test('versions of a log that were read before take no memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const megabytesInUse = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const changes = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...published,
      after: { ...entry, message: `${'x'.repeat(200)} ${at}` },
    }));
  const before = megabytesInUse();
  for (let count = 700; count < 780; count++)
    parseHistory(JSON.stringify({ announcements: [entry] }), Buffer.from(logText(changes(count))).toString());
  expect(megabytesInUse() - before).toBeLessThan(8);
});
