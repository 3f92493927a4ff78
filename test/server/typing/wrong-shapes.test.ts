import { afterAll, expect, it } from 'vitest';
import { formatChoices } from '../../../src/contract/session-setup.ts';
import { modeTypes } from '../../../src/typing/modes/mode.ts';
import { startTestServer } from '../../support/test-server.ts';
import { createTypingClient } from '../../support/typing-client.ts';

const server = await startTestServer();
const client = createTypingClient(server.port);
afterAll(() => server.close());

const types = `${formatChoices(modeTypes)}`;
const rulesProblem =
  'rules must be an object with early_space ("error" or "skip"), stop_on ("none", "letter" or "word"), ' +
  'backspace ("free", "word" or "none").';
const noObjects = [[], ['skip'], [{ type: 'words' }], null, 7, 'words', true];
const noNames = [[], ['en'], {}, { id: 'en' }, null, 7, true, 'x'.repeat(65)];

const wrong: [field: string, values: readonly unknown[], error: string][] = [
  ['mode', noObjects, `mode must be an object whose type is ${types}.`],
  ['mode', [{}, { type: null }, { type: [] }, { type: 'zen' }], `mode.type must be ${types}.`],
  [
    'mode',
    [null, '30', [30], {}, 9, 201, 30.5].map((count) => ({ type: 'words', count })),
    'mode.count must be a whole number from 10 to 200.',
  ],
  [
    'mode',
    [null, '60', [60], 4, 601].map((seconds) => ({ type: 'time', seconds })),
    'mode.seconds must be a whole number from 5 to 600.',
  ],
  ['mode', [null, 7, ['a'], {}].map((text) => ({ type: 'text', text })), 'mode.text must be a text.'],
  ['mode', [{ type: 'text' }], 'mode.text is missing.'],
  [
    'mode',
    [null, 7, ['a']].map((title) => ({ type: 'text', text: 'a', title })),
    'mode.title must be a text.',
  ],
  [
    'mode',
    [null, [], 'endless'].map((length) => ({ type: 'quote', length })),
    'mode.length must be "any", "short", "medium" or "long".',
  ],
  [
    'mode',
    [null, [], 'sentences'].map((on) => ({ type: 'drill', on })),
    'mode.on must be "letters", "bigrams" or "words".',
  ],
  [
    'mode',
    [null, [], {}, '', 'x'.repeat(65)].map((language) => ({ type: 'code', language })),
    'mode.language must be the name of a programming language, such as "typescript".',
  ],
  ['rules', noObjects, rulesProblem],
  [
    'rules',
    [null, [], 'never'].map((early_space) => ({ early_space })),
    'rules.early_space must be "error" or "skip".',
  ],
  ['rules', [{ stop_on: 'sentence' }], 'rules.stop_on must be "none", "letter" or "word".'],
  ['rules', [{ backspace: true }], 'rules.backspace must be "free", "word" or "none".'],
  ['language', noNames, 'language must be an id of GET /api/languages, such as "en".'],
  [
    'layout',
    [[], ['en'], null, 7, true],
    'layout must be an id of GET /api/layouts, such as "qwerty", or a layout of your own.',
  ],
  ['layout', ['x'.repeat(65)], 'layout must be an id of GET /api/layouts, such as "qwerty".'],
  ['layout', [{}, { id: 'en' }], 'layout must have a name and rows.'],
  ['punctuation_mode', [[], {}, null, 0, 'yes'], 'punctuation_mode must be true or false.'],
];
const cases = wrong.flatMap(([field, values, error]) =>
  values.map((value) => ({ field, value, error, shown: JSON.stringify(value).slice(0, 40) })),
);

it.each(cases)('$field: $shown is refused with what is allowed', async ({ field, value, error }) => {
  const refused = { status: 400, body: { code: 'INVALID_REQUEST', error } };
  expect(await client.call('POST', '/sessions', { [field]: value })).toEqual(refused);
});

it.each(
  cases.filter(
    ({ field, value }) => field !== 'mode' || (value as { type?: unknown } | null)?.type !== 'text',
  ),
)('$field: $shown is refused in a round typed elsewhere as well', async ({ field, value, error }) => {
  const round = {
    id: '6f0c1c5e-0d0a-4b57-8c30-9f1b9f3f2f10',
    words: ['a'],
    events: [{ type: 'keystroke', char: 'a' }, { type: 'space' }],
    start_time_unix_ms: 0,
    end_time_unix_ms: 1000,
    duration_ms: 1000,
  };
  const refused = { status: 400, body: { code: 'INVALID_REQUEST', error } };
  expect(await client.call('POST', '/rounds', { ...round, [field]: value })).toEqual(refused);
});

it.each([
  ['language', { language: 'tlh' }, /^language must be one of .*"en"|^language must be "/],
  ['layout', { layout: 'none' }, /^layout must be one of \d+ ids, such as "qwerty"/],
  ['code', { mode: { type: 'code', language: 'malbolge' } }, /^mode\.language must be .*"typescript"/],
])('an unknown id is refused with the known ones: %s', async (_, body, error) => {
  expect(await client.call('POST', '/sessions', body)).toEqual({
    status: 400,
    body: { code: 'INVALID_REQUEST', error: expect.stringMatching(error) },
  });
});
