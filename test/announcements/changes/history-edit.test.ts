import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Change,
  emptyHistory,
  type HistoryFile,
  type StoredAnnouncement,
} from '../../../src/announcements/announcement.ts';
import {
  type DraftTexts,
  readDraft,
  readEarlyEnd,
  readEdit,
} from '../../../src/announcements/changes/draft.ts';
import {
  type EditOutcome,
  type EditResult,
  edit,
  expire,
  nextId,
  publish,
  withdraw,
} from '../../../src/announcements/changes/history-edit.ts';
import { undo, undoneBy } from '../../../src/announcements/changes/history-undo.ts';
import { currentAnnouncement } from '../../../src/announcements/schedule.ts';
import { historyText, logText, parseHistory } from '../../../src/server/stores/content/history-file.ts';

const start = Date.parse('2026-06-01T10:00:00Z');
const minute = 60_000;
const at = (minutes: number) => start + minutes * minute;
const stamp = (minutes: number, by = 'ada') => ({ by, at: at(minutes) });

function draft(
  message: string,
  from: number,
  until: number,
  more: { id?: string; alongside?: boolean } = {},
) {
  return { message, link: '', published: at(from), expires: at(until), ...more };
}

function made(outcome: EditOutcome): EditResult {
  if ('problem' in outcome) throw new Error(outcome.problem);
  return outcome;
}

function undone(history: HistoryFile, number: number | undefined, minutes: number): HistoryFile {
  const outcome = undo(history, number, stamp(minutes));
  if ('problem' in outcome) throw new Error(outcome.problem);
  return outcome.history;
}

let one: HistoryFile;
let two: HistoryFile;

beforeEach(() => {
  one = made(publish(emptyHistory, draft('one', 0, 60), stamp(0))).history;
  two = made(publish(one, draft('two', 10, 60), stamp(1))).history;
});

describe('publish', () => {
  test.each([
    ['an expiry before the start', draft('x', 20, 10), 'is not after the start'],
    ['an expiry at the start', draft('x', 20, 20), 'is not after the start'],
    ['a start in the past', draft('x', -1, 20), 'is in the past'],
    ['an expiry in the past', draft('x', -20, -10), 'is in the past'],
    ['an expiry in the past, of one that starts later', draft('x', 5, -10), 'is in the past'],
    ['an expiry at the start, which is now', draft('x', 0, 0), 'is not after the start'],
    ['a taken id', draft('x', 5, 20, { id: '2026-001' }), 'the id 2026-001 is taken'],
  ])('refuses %s', (_, bad, reason) => {
    expect(publish(one, bad, stamp(0))).toEqual({ problem: expect.stringContaining(reason) });
  });

  test.each([
    ['id', 'a/b', '"a/b" cannot be an id'],
    ['id', 'a'.repeat(65), 'cannot be an id'],
    ['id', '', 'cannot be an id'],
    ['message', 'a\nb', 'line break'],
    ['link', 'javascript:x', 'javascript:'],
  ])('a draft whose %s is %j is refused', (name, text, reason) => {
    const { id, ...values } = { id: 'x', message: 'x', [name]: text };
    expect(readDraft({ id, values }, { zone: 'UTC', now: at(0) })).toMatchObject({
      problems: [{ field: name, problem: expect.stringContaining(reason) }],
    });
  });
});

describe('ids', () => {
  test.each([
    [[], '2026-001'],
    [['2026-001', '2026-002'], '2026-003'],
    [['2026-999'], '2026-1000'],
    [['x2026-007', '2026-008x', '26-009', '2026-0000010', '2026-00'], '2026-001'],
    [['2026x2026-007'], '2026-001'],
  ])('after %j the next id is %s', (ids, next) => {
    const announcements = ids.map((id) => ({ ...one.announcements[0], id }));
    expect(nextId({ ...one, announcements, changes: [] } as HistoryFile, '2026-06-01T00:00:00Z')).toBe(next);
  });

  test('law: whatever ids are taken, the next one is free, and an id', () => {
    const digits = fc
      .oneof(fc.integer({ min: 0, max: 1_000_010 }), fc.integer({ min: 999_990, max: 1_000_010 }), fc.nat())
      .map((number) => String(number).padStart(3, '0'));
    const tail = fc.oneof(digits, fc.stringMatching(/^9{1,59}$/), fc.stringMatching(/^0{0,6}9{1,4}$/));
    fc.assert(
      fc.property(fc.uniqueArray(tail, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (tails, times) => {
        const announcements = tails.map((text) => ({ ...one.announcements[0], id: `2026-${text}` }));
        let history = { ...one, announcements, changes: [] } as HistoryFile;
        for (let time = 0; time < times; time++)
          history = made(publish(history, draft('x', 5, 20), stamp(2))).history;
        expect(history.announcements).toHaveLength(tails.length + times);
      }),
    );
  });

  test('the id of an announcement whose publishing was undone is not used again', () => {
    const history = undone(two, undefined, 2);
    expect(history.announcements).toHaveLength(1);
    expect(made(publish(history, draft('x', 5, 20), stamp(3))).entry.id).toBe('2026-003');
    expect(publish(history, draft('x', 5, 20, { id: '2026-002' }), stamp(3))).toHaveProperty('problem');
  });
});

describe('edit', () => {
  test('an edit that changes nothing returns the same history', () => {
    const outcome = made(edit(two, '2026-001', { message: 'one', expires: at(60) }, stamp(2)));
    expect(outcome.history).toBe(two);
    expect(outcome.number).toBeUndefined();
  });

  test('only the start of a scheduled one can be moved', () => {
    expect(made(edit(two, '2026-002', { published: at(20) }, stamp(2))).entry.published).toBe(
      '2026-06-01T10:20:00Z',
    );
    expect(edit(two, '2026-001', { published: at(20) }, stamp(2))).toEqual({
      problem: expect.stringContaining('only the start of a scheduled one'),
    });
    // Since the very second of its start it is published.
    expect(edit(two, '2026-002', { published: at(20) }, stamp(10))).toEqual({
      problem: expect.stringContaining('only the start of a scheduled one'),
    });
    expect(edit(two, '2026-002', { published: at(1) }, stamp(2))).toEqual({
      problem: expect.stringContaining('is in the past'),
    });
    expect(edit(two, '2026-002', { published: at(60) }, stamp(2))).toEqual({
      problem: expect.stringContaining('is not after the start'),
    });
  });

  test('a new start must not be after an early end, unless a new expiry comes with it', () => {
    const ended = made(expire(two, '2026-002', at(20), stamp(2))).history;
    expect(edit(ended, '2026-002', { published: at(21) }, stamp(3))).toEqual({
      problem: 'it was to end at 2026-06-01T10:20:00Z, before its new start; give a new expiry too',
    });
    expect(made(edit(ended, '2026-002', { published: at(20) }, stamp(3))).entry).toHaveProperty('expired');
    const moved = made(edit(ended, '2026-002', { published: at(21), expires: at(50) }, stamp(3))).entry;
    expect(moved).toMatchObject({ published: '2026-06-01T10:21:00Z', expires: '2026-06-01T10:50:00Z' });
    expect(moved).not.toHaveProperty('expired');
  });

  test('a new expiry must be in the future, makes a past announcement active again, and reverts an early end', () => {
    expect(edit(two, '2026-001', { expires: at(1) }, stamp(2))).toEqual({
      problem: expect.stringContaining('is in the past'),
    });
    expect(made(edit(one, '2026-001', { expires: at(200) }, stamp(100))).entry.expires).toBe(
      '2026-06-01T13:20:00Z',
    );
    const ended = made(expire(one, '2026-001', undefined, stamp(2))).history;
    expect(made(edit(ended, '2026-001', { expires: at(90) }, stamp(3))).entry).not.toHaveProperty('expired');
    expect(made(edit(ended, '2026-001', { message: 'x' }, stamp(3))).entry).toHaveProperty('expired');
  });

  test('an announcement that does not exist or was withdrawn cannot be edited', () => {
    expect(edit(two, 'nope', { message: 'x' }, stamp(2))).toEqual({
      problem: 'there is no announcement nope',
    });
    const gone = made(withdraw(two, '2026-002', stamp(2))).history;
    expect(edit(gone, '2026-002', { message: 'x' }, stamp(3))).toEqual({
      problem: expect.stringContaining('was withdrawn'),
    });
  });
});

test('law: editors are warned of a label that nobody sees, and of each language whose readers see it untranslated', () => {
  const part = fc.record({ hasLink: fc.boolean(), hasLabel: fc.boolean() });
  fc.assert(
    fc.property(part, fc.array(part, { maxLength: 3 }), (own, others) => {
      const wordsOf = ({ hasLink, hasLabel }: typeof own, address: string) => ({
        ...(hasLink ? { link: `https://${address}.example` } : {}),
        ...(hasLabel ? { linkLabel: `Label of ${address}` } : {}),
      });
      const tags = ['de', 'fr', 'it'].slice(0, others.length);
      const translations = Object.fromEntries(
        others.map((other, at) => [tags[at], { message: 'x', ...wordsOf(other, `${tags[at]}`) }]),
      );
      const given = { ...draft('x', 5, 20), ...wordsOf(own, 'own'), translations };
      const { warnings } = made(publish(one, given, stamp(1)));
      const untranslated = tags.filter(
        (_, at) => own.hasLabel && !others[at]?.hasLabel && (own.hasLink || others[at]?.hasLink),
      );
      const unseen = own.hasLabel && !own.hasLink ? [expect.stringContaining('no link')] : [];
      expect(warnings).toEqual([
        ...unseen,
        ...untranslated.map((tag) => expect.stringContaining(` ${tag}: `)),
      ]);
    }),
  );
});

test('an edit warns of a label as publishing does, if it is about the label', () => {
  const warningsOf = (changes: object) => made(edit(two, '2026-001', changes, stamp(2))).warnings;
  expect(warningsOf({ linkLabel: 'Read' })).toEqual([expect.stringContaining('no link')]);
  const labelled = made(edit(two, '2026-001', { linkLabel: 'Read' }, stamp(2))).history;
  const later = (changes: object) => made(edit(labelled, '2026-001', changes, stamp(3))).warnings;
  expect(later({ link: 'https://example.org', translations: { de: { message: 'eins' } } })).toEqual([
    expect.stringContaining(' de: '),
  ]);
  expect(later({ message: 'uno', warnings: ['a mark'] })).toEqual(['a mark']);
});

describe('an edit as it is written', () => {
  const context = { zone: 'UTC', now: at(2) };
  const running = () => two.announcements[0] as StoredAnnouncement;
  const scheduled = () => two.announcements[1] as StoredAnnouncement;

  test('a span as its end counts from its start, the new one if there is one, or from now if that is later', () => {
    const ends = (texts: object, before: StoredAnnouncement) => {
      const read = readEdit({ values: {}, ...texts }, before, context);
      return 'value' in read ? read.value.expires : read.problems;
    };
    expect(ends({ expires: '+1h' }, scheduled())).toBe(at(70));
    expect(ends({ expires: '+1h' }, running())).toBe(at(62));
    expect(ends({ expires: '+1h', at: '+20m' }, scheduled())).toBe(at(82));
    expect(ends({}, scheduled())).toBeUndefined();
  });

  test('what is stored and stays must be allowed, too, and each field that is wrong is named', () => {
    const fields = (texts: DraftTexts, before: Partial<StoredAnnouncement> = {}) => {
      const read = readEdit(texts, { ...running(), ...before }, context);
      return 'problems' in read ? read.problems.map(({ field }) => field) : [];
    };
    const values = { severity: 'warning' };
    expect(fields({ values })).toEqual([]);
    expect(fields({ values }, { message: 'a\nb', link: 'javascript:x' })).toEqual(['message', 'link']);
    expect(fields({ values: { message: 'a', link: '' } }, { message: 'a\nb', link: 'javascript:x' })).toEqual(
      [],
    );
    expect(fields({ values: {} }, { markdown: '*other*' })).toEqual(['message']);
    expect(fields({ at: 'x', expires: 'y', values: { severity: 'z' } })).toEqual([
      'severity',
      'at',
      'expires',
    ]);
  });

  test('an early end is now unless a moment is given', () => {
    expect(readEarlyEnd(undefined, context)).toEqual({ value: undefined });
    expect(readEarlyEnd(null, context)).toEqual({ value: undefined });
    expect(readEarlyEnd('+5m', context)).toEqual({ value: at(7) });
    expect(readEarlyEnd('x', context)).toMatchObject({ problems: [{ field: 'at' }] });
  });
});

describe('expire and withdraw', () => {
  test('expire ends an announcement now, or at a moment before its expiry', () => {
    const now = made(expire(one, '2026-001', undefined, stamp(5)));
    expect(now.entry).toMatchObject({ expired: '2026-06-01T10:05:00Z', expires: '2026-06-01T11:00:00Z' });
    expect(currentAnnouncement(now.history, at(5))).toBeUndefined();
    const later = made(expire(one, '2026-001', at(30), stamp(5))).history;
    expect(currentAnnouncement(later, at(30) - 1)?.id).toBe('2026-001');
    expect(currentAnnouncement(later, at(30))).toBeUndefined();
  });

  test.each([
    ['what is over', '2026-001', undefined, 70, 'already ended'],
    ['what has not begun', '2026-002', undefined, 5, 'withdraw it instead'],
    ['in the past', '2026-001', 1, 5, 'is in the past'],
    ['after the expiry', '2026-001', 60, 5, 'edit its expiry'],
    ['what does not exist', 'x', undefined, 5, 'there is no announcement x'],
  ])('expire refuses %s', (_, id, end, now, reason) => {
    expect(expire(two, id, end === undefined ? undefined : at(end), stamp(now))).toEqual({
      problem: expect.stringContaining(reason),
    });
  });
});

describe('undo', () => {
  let edited: HistoryFile;

  beforeEach(() => {
    edited = made(edit(two, '2026-001', { message: 'ONE' }, stamp(2))).history;
  });

  test('a restored announcement returns to its old place, so that the order within one second stays', () => {
    const same = made(publish(one, draft('beside', 0, 60), stamp(0))).history;
    const back = undone(undone(same, 1, 1), 3, 2);
    expect(back.announcements).toEqual(same.announcements);
    expect(currentAnnouncement(back, at(1))?.message).toBe('beside');
  });

  test.each([
    [0, 'there is no change 0; the log has 3'],
    [4, 'there is no change 4; the log has 3'],
  ])('change %i does not exist', (number, problem) => {
    expect(undo(edited, number, stamp(3))).toEqual({ problem });
  });

  test('a change that is already undone, or was edited by hand since, stays as it is', () => {
    expect(undo(undone(edited, 3, 3), 3, stamp(4))).toEqual({
      problem: 'change 3 is already undone, by change 4',
    });
    const byHand = {
      ...edited,
      announcements: edited.announcements.map((entry) => ({ ...entry, message: 'by hand' })),
    };
    expect(undo(byHand, undefined, stamp(4))).toEqual({
      problem: expect.stringContaining('edited by hand since change 3'),
    });
  });
});

/** Undoes a change as the problems say: first those that came after it. */
function undoneAsAdvised(history: HistoryFile, number: number, minutes: number): HistoryFile {
  const outcome = undo(history, number, stamp(minutes));
  if ('history' in outcome) return outcome.history;
  const [, later, , first] = /^change (\d+) (came after) change (\d+) on/.exec(outcome.problem) ?? [];
  expect([outcome.problem, Number(first)]).toEqual([outcome.problem, number]);
  expect(Number(later)).toBeGreaterThan(number);
  const { id } = history.changes[Number(later) - 1] as Change;
  expect(id).toBe(history.changes[number - 1]?.id);
  return undoneAsAdvised(undoneAsAdvised(history, Number(later), minutes), number, minutes);
}

const step = fc.record({
  act: fc.constantFrom('publish', 'edit', 'expire', 'withdraw', 'undo', 'undo number'),
  pick: fc.nat(),
  span: fc.integer({ min: 1, max: 50 }),
  later: fc.integer({ min: 0, max: 3 }),
});

function take(
  history: HistoryFile,
  now: number,
  { act, pick, span, later }: typeof step extends fc.Arbitrary<infer T> ? T : never,
): EditOutcome | { history: HistoryFile } | { problem: string } {
  const id = history.announcements[pick % Math.max(1, history.announcements.length)]?.id ?? 'none';
  if (act === 'publish')
    return publish(
      history,
      draft(`m${pick}`, now + later, now + later + span, pick % 3 === 0 ? { alongside: true } : {}),
      stamp(now),
    );
  if (act === 'edit')
    return edit(
      history,
      id,
      { message: `e${pick}`, ...(later > 0 ? { expires: at(now + span) } : {}) },
      stamp(now),
    );
  if (act === 'expire') return expire(history, id, later === 0 ? undefined : at(now + later), stamp(now));
  if (act === 'withdraw') return withdraw(history, id, stamp(now));
  return undo(
    history,
    act === 'undo' ? undefined : 1 + (pick % Math.max(1, history.changes.length)),
    stamp(now),
  );
}

test('law: whatever editors do, the file stays readable, no id is used twice, the log only grows, and everything can be undone', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let history = emptyHistory;
      let now = 0;
      const given = new Set<string>();
      for (const one of steps) {
        now += one.pick % 3;
        const outcome = take(history, now, one);
        if ('problem' in outcome) continue;
        expect(outcome.history.changes.slice(0, history.changes.length)).toEqual(history.changes);
        for (const { id } of outcome.history.announcements) {
          if (!history.announcements.some((entry) => entry.id === id) && one.act === 'publish') {
            expect(given.has(id)).toBe(false);
            given.add(id);
          }
        }
        history = outcome.history;
        expect(parseHistory(historyText(history), logText(history.changes))).toEqual({ history });
        const last = undone(history, history.changes.length || undefined, now);
        expect(undone(last, last.changes.length, now).announcements).toEqual(history.announcements);
      }
      const isDone = undoneBy(history.changes);
      for (const [at, { id, before }] of history.changes.entries()) {
        if (isDone[at] !== undefined) continue;
        const back = undoneAsAdvised(history, at + 1, now).announcements;
        expect(back.find((entry) => entry.id === id) ?? null).toEqual(before);
      }
      // Back to the beginning, one undo after the other.
      for (;;) {
        const outcome = undo(history, undefined, stamp(now));
        if ('problem' in outcome) break;
        history = outcome.history;
      }
      expect(history.announcements).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
