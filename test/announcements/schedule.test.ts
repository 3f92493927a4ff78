import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HistoryFile, StoredAnnouncement } from '../../src/announcements/announcement.ts';
import { nextActiveChange } from '../../src/announcements/reader-view.ts';
import {
  activeAnnouncements,
  currentAnnouncement,
  endOf,
  latestStates,
  nextTransition,
  publicHistory,
  replacedBy,
} from '../../src/announcements/schedule.ts';
import { instantText } from '../../src/announcements/times/instant.ts';

/** Second `n` of a small world in which everything happens within two dozen seconds. */
const second = (n: number) => Date.UTC(2026, 0, 1) + n * 1000;
const at = (n: number) => instantText(second(n));

function entry(
  id: string,
  from: number,
  until: number,
  more: Partial<StoredAnnouncement> = {},
): StoredAnnouncement {
  return { id, message: `words of ${id}`, link: '', published: at(from), expires: at(until), ...more };
}

function file(...announcements: StoredAnnouncement[]): HistoryFile {
  return { version: 1, announcements, changes: [] };
}

test('an announcement that an editor ended stays in the history with its end', () => {
  const history = file(entry('a', 0, 9), entry('b', 2, 9, { expired: at(4) }));
  const [ended] = publicHistory(history, second(5)).announcements;
  const words = { id: 'b', message: 'words of b', link: '' };
  expect(ended).toEqual({ ...words, published: at(2), expires: at(4), active: false });
});

test('a scheduled announcement is in no public document before its start', () => {
  const history = file(entry('a', 0, 9), entry('b', 5, 9));
  expect(JSON.stringify(publicHistory(history, second(4)))).not.toContain('words of b');
});

test('each announcement has one state at any time, listed from the latest start to the earliest', () => {
  const history = file(
    entry('w', 0, 9, { withdrawn: at(1) }),
    entry('a', 1, 6),
    entry('b', 3, 8, { expired: at(7) }),
    entry('c', 4, 5, { alongside: true }),
    entry('e', 9, 10, { expired: at(10) }),
  );
  const states = (n: number) =>
    latestStates(history, second(n))
      .map((one) => `${one.entry.id}: ${one.state}`)
      .reverse();
  const over = (...rest: string[]) => ['w: withdrawn', ...rest];
  expect(states(0)).toEqual(over('a: scheduled', 'b: scheduled', 'c: scheduled', 'e: scheduled'));
  expect(states(2)).toEqual(over('a: active', 'b: scheduled', 'c: scheduled', 'e: scheduled'));
  expect(states(3)).toEqual(over('a: superseded', 'b: active', 'c: scheduled', 'e: scheduled'));
  expect(states(4)).toEqual(over('a: superseded', 'b: active', 'c: active', 'e: scheduled'));
  expect(states(5)).toEqual(over('a: superseded', 'b: active', 'c: expired', 'e: scheduled'));
  expect(states(6)).toEqual(over('a: expired', 'b: active', 'c: expired', 'e: scheduled'));
  expect(states(7)).toEqual(over('a: expired', 'b: ended', 'c: expired', 'e: scheduled'));
  expect(states(9)).toEqual(over('a: expired', 'b: ended', 'c: expired', 'e: active'));
  expect(states(10)).toEqual(over('a: expired', 'b: ended', 'c: expired', 'e: expired'));
});

test('a withdrawal is an update, and the times of a withdrawn announcement are not', () => {
  const history = file(entry('a', 1, 5, { withdrawn: at(3) }));
  const updates = [1, 2, 3, 4, 5, 6].map((n) => publicHistory(history, second(n)).lastUpdated);
  expect(updates).toEqual([...Array(2).fill('1970-01-01T00:00:00Z'), ...Array(4).fill(at(3))]);
  expect(nextTransition(history, second(0))).toBe(second(3));
  expect(nextTransition(history, second(3))).toBeUndefined();
});

test('the history is newest first, and was last updated when something last changed, by an editor or by time', () => {
  const changes = [{ at: at(6), by: 'x', action: 'edit', id: 'a', before: null, after: null }] as const;
  const history: HistoryFile = { ...file(entry('b', 3, 12), entry('a', 1, 5), entry('c', 10, 20)), changes };
  expect(publicHistory(history, second(11)).announcements.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  const updates = [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13].map((n) => [
    n,
    publicHistory(history, second(n)).lastUpdated,
  ]);
  expect(updates).toEqual([
    [0, '1970-01-01T00:00:00Z'],
    [1, at(1)],
    [2, at(1)],
    [3, at(3)],
    [4, at(3)],
    [5, at(5)],
    [6, at(6)],
    [7, at(6)],
    [10, at(10)],
    [11, at(10)],
    [12, at(12)],
    [13, at(12)],
  ]);
});

/** Most announcements are neither ended early nor withdrawn. */
const rarely = (max: number) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.integer({ min: 0, max }));
const anyEntry = fc
  .record({
    from: fc.integer({ min: 0, max: 12 }),
    lasts: fc.integer({ min: 1, max: 12 }),
    alongside: fc.boolean(),
    endedAfter: rarely(12),
    withdrawn: rarely(24),
  })
  .map(
    ({ from, lasts, alongside, endedAfter, withdrawn }) =>
      (id: string) =>
        entry(id, from, from + lasts, {
          ...(alongside ? { alongside: true } : {}),
          ...(endedAfter === undefined ? {} : { expired: at(from + endedAfter) }),
          ...(withdrawn === undefined ? {} : { withdrawn: at(withdrawn) }),
        }),
  );
const anyFile = fc
  .array(anyEntry, { maxLength: 6 })
  .map((makers) => file(...makers.map((make, n) => make(`e${n}`))));

test('law: a literal implementation of the rules agrees with the code', () => {
  fc.assert(
    fc.property(anyFile, fc.integer({ min: 0, max: 25 }), (history, n) => {
      const now = at(n);
      const { announcements } = history;
      const isLater = (a: StoredAnnouncement, b: StoredAnnouncement) =>
        a.published > b.published ||
        (a.published === b.published && announcements.indexOf(a) > announcements.indexOf(b));
      const expected = announcements.filter(
        (one) =>
          one.withdrawn === undefined &&
          one.published <= now &&
          now < one.expires &&
          !(one.expired !== undefined && one.expired <= now) &&
          !announcements.some(
            (other) =>
              other.withdrawn === undefined &&
              !other.alongside &&
              other.published <= now &&
              isLater(other, one),
          ),
      );
      const found = latestStates(history, second(n)).filter(({ state }) => state === 'active');
      expect(new Set(found.map((one) => one.entry))).toEqual(new Set(expected));
      const current = expected.find((one) => expected.every((other) => other === one || isLater(one, other)));
      expect(currentAnnouncement(history, second(n))?.id).toBe(current?.id);
    }),
    { numRuns: 200 },
  );
});

test('law: nothing public changes before the next transition, and every change is at one', () => {
  fc.assert(
    fc.property(anyFile, fc.integer({ min: 0, max: 25 }), (history, n) => {
      const seen = (m: number) =>
        JSON.stringify([currentAnnouncement(history, second(m)), publicHistory(history, second(m))]);
      const next = nextTransition(history, second(n));
      const end = next === undefined ? 26 : (next - second(0)) / 1000;
      expect(end).toBeGreaterThan(n);
      for (let m = n; m < end; m += 1) expect(seen(m)).toBe(seen(n));
      // Within the second, too: the clock of a server does not stand still between whole ones.
      expect(publicHistory(history, second(n) + 999)).toEqual(publicHistory(history, second(n)));
    }),
    { numRuns: 200 },
  );
});

test('law: readers next see another announcement, or none, exactly when it is said', () => {
  fc.assert(
    fc.property(anyFile, fc.integer({ min: 0, max: 25 }), (history, n) => {
      const seen = (m: number) =>
        activeAnnouncements(history, second(m))
          .map(({ id }) => id)
          .join();
      const later = Array.from({ length: 30 }, (_, ahead) => n + 1 + ahead);
      const change = later.find((m) => seen(m) !== seen(n));
      expect(nextActiveChange(history, second(n))).toBe(change === undefined ? undefined : second(change));
    }),
    { numRuns: 200 },
  );
});

test('law: what an announcement replaces is what was active just before and would have stayed', () => {
  fc.assert(
    fc.property(anyFile, (history) => {
      for (const one of history.announcements) {
        const isAlone = history.announcements.every(
          (other) => other === one || other.published !== one.published,
        );
        if (one.withdrawn !== undefined || !isAlone) continue;
        const justBefore = Date.parse(one.published) - 1000;
        const expected = latestStates(history, justBefore)
          .filter(({ entry, state }) => state === 'active' && endOf(entry) > one.published && !one.alongside)
          .map(({ entry }) => entry.id);
        const replaced = replacedBy(history, one).map(({ id }) => id);
        expect(replaced.toSorted()).toEqual(expected.toSorted());
      }
    }),
    { numRuns: 200 },
  );
});

describe('announcements for some readers only', () => {
  const docs = { audience: { sites: ['https://a.example', 'https://b.example'], paths: ['/docs/*'] } };
  const sameDocs = { audience: { paths: ['/docs/*'], sites: ['https://b.example', 'https://a.example'] } };
  const ids = (history: HistoryFile, n: number) =>
    activeAnnouncements(history, second(n)).map(({ id }) => id);

  test('supersede only earlier ones with the same audience, whatever the order of its entries', () => {
    const history = file(
      entry('a', 0, 20),
      entry('b', 2, 20, docs),
      entry('c', 4, 20, { audience: { paths: ['/docs/*'] } }),
      entry('d', 6, 20, sameDocs),
      entry('e', 8, 20),
    );
    expect([0, 2, 4, 6, 8, 20].map((n) => ids(history, n).join(''))).toEqual([
      'a',
      'ba',
      'cba',
      'dca',
      'edc',
      '',
    ]);
  });

  test('are never the current announcement, which is the most important one for everyone', () => {
    const history = file(
      entry('a', 0, 20, { alongside: true, severity: 'warning' }),
      entry('b', 1, 20, { alongside: true, severity: 'success' }),
      entry('c', 2, 20, { ...docs, severity: 'critical' }),
      entry('d', 3, 10, { alongside: true, severity: 'critical' }),
      entry('e', 4, 20, { alongside: true, severity: 'critical', withdrawn: at(5) }),
      entry('f', 5, 20, { alongside: true }),
    );
    expect(ids(history, 6).join('')).toBe('dcafb');
    expect([0, 2, 6, 10].map((n) => currentAnnouncement(history, second(n))?.id)).toEqual([
      'a',
      'a',
      'd',
      'a',
    ]);
    expect(currentAnnouncement(file(entry('a', 0, 9, docs)), second(1))).toBeUndefined();
  });

  test('are limited in the list to the twenty most important, with their fields and no others', () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      entry(`n${n}`, 0, 20, { alongside: true, ...(n % 100 === 0 ? { severity: 'critical' } : {}) }),
    );
    const active = activeAnnouncements(file(...many), second(1));
    expect(active.map(({ id }) => id).slice(0, 7)).toEqual([
      'n400',
      'n300',
      'n200',
      'n100',
      'n0',
      'n499',
      'n498',
    ]);
    expect(active).toHaveLength(20);
    const fields = ['id', 'message', 'link', 'published', 'expires'];
    expect(Object.keys(active[0] ?? {})).toEqual([...fields, 'severity']);
    expect(Object.keys(active[6] ?? {})).toEqual(fields);
  });
});
