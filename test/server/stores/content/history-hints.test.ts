import { expect, test } from 'vitest';
import { parseHistory } from '../../../../src/server/stores/content/history-file.ts';
import { findHints } from '../../../../src/server/stores/content/history-hints.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const entry = {
  id: '2026-001',
  message: 'The spring release is here',
  link: 'https://example.org/release',
  published: '2026-01-05T09:00:00Z',
  expires: '2999-01-01T00:00:00Z',
};

function hintsFor(...announcements: object[]): string[] {
  const text = JSON.stringify({ announcements });
  const read = parseHistory(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return findHints(read.history, text, now).map(({ steps, message }) => `${steps.join('.')}: ${message}`);
}

test('an ordinary announcement gets no hint', () => {
  expect(hintsFor(entry)).toEqual([]);
  expect(hintsFor({ ...entry, active: true })).toEqual([]);
});

test.each([
  [
    'a link without encryption',
    { link: 'HTTP://example.org' },
    /^announcements\.0\.link: .*not encrypted.*https:/,
  ],
  [
    'a long message',
    { message: 'long '.repeat(30).trim() },
    /^announcements\.0\.message: 149 characters; few visitors read past \d+$/,
  ],
  ['a field that nobody reads', { colour: 'red' }, /^announcements\.0\.colour: "colour" means nothing here/],
  [
    'an end written as active: false',
    { active: false },
    /^announcements\.0\.active: .*announce expire 2026-001;/,
  ],
  [
    'active: true in what is over',
    { expires: '2026-02-01T00:00:00Z', active: true },
    /^announcements\.0\.active: .*to publish it again: typebadge announce publish$/,
  ],
])('%s gets one hint at its place', (_, changed, hint) => {
  expect(hintsFor({ ...entry, ...changed })).toEqual([expect.stringMatching(hint)]);
});
