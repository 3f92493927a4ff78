import { describe, expect, test } from 'vitest';
import { type Action, actions, type Change } from '../../../src/announcements/announcement.ts';
import { describeChange, numberedChanges } from '../../../src/announcements/changes/change-log.ts';

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

test('each kind of change has words of its own, with the announcement, and an undo with what it undid', () => {
  const said = actions.map((action) => describeChange({ action, id: 'a-1', undoes: 7 }));
  for (const words of said) expect(words).toMatch(/^\p{Ll}+ (?:.+ )?a-1$/u);
  expect(new Set(said).size).toBe(actions.length);
  expect(said.filter((words) => words.includes('7'))).toEqual([
    describeChange({ action: 'undo', id: 'a-1', undoes: 7 }),
  ]);
});
