import { describe, expect, test } from 'vitest';
import type { Action, Change } from '../../../src/announcements/announcement.ts';
import { describeSince, numberedChanges } from '../../../src/announcements/changes/change-log.ts';

const at = '2026-06-01T10:00:00Z';
const change = (by: string, action: Action, id: string, more: Partial<Change> = {}): Change => ({
  at,
  by,
  action,
  id,
  before: null,
  after: null,
  ...more,
});

describe('the numbered log', () => {
  test('an undo that was itself undone is no longer in effect', () => {
    const log = [
      change('ada', 'publish', 'a'),
      change('ada', 'undo', 'a', { undoes: 1 }),
      change('ada', 'undo', 'a', { undoes: 2 }),
    ];
    expect(numberedChanges(log).map(({ undoneBy }) => undoneBy)).toEqual([null, 3, null]);
  });

  test('does not show which request made a change', () => {
    const [shown] = numberedChanges([change('ada', 'publish', 'a', { request: 'secret-1' })]);
    expect(shown).not.toHaveProperty('request');
  });
});

describe('what editors did since', () => {
  const log = [
    change('ada', 'publish', 'a'),
    change('ben', 'publish', 'b'),
    change('cy', 'edit', 'a'),
    change('di', 'expire', 'a'),
    change('eve', 'withdraw', 'b'),
  ];

  test.each([
    [5, undefined],
    [6, undefined],
    [4, 'eve withdrew b (change 5)'],
    [3, 'di ended a (change 4), eve withdrew b (change 5)'],
    [2, 'cy edited a (change 3), di ended a (change 4), eve withdrew b (change 5)'],
    [1, '1 earlier, then cy edited a (change 3), di ended a (change 4), eve withdrew b (change 5)'],
    [0, '2 earlier, then cy edited a (change 3), di ended a (change 4), eve withdrew b (change 5)'],
  ])('%i changes were seen: %s', (seen, described) => {
    expect(describeSince(numberedChanges(log), seen)).toBe(described);
  });

  test('shows control characters in a name, which a file edited by hand may hold', () => {
    expect(describeSince(numberedChanges([change('a\u001b[2Jda\n', 'edit', 'a')]), 0)).toBe(
      'a\\u001b[2Jda\\n edited a (change 1)',
    );
  });
});
