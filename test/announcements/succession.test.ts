import { expect, test } from 'vitest';
import type { StoredAnnouncement } from '../../src/announcements/announcement.ts';
import { replacedBy, successorOf } from '../../src/announcements/schedule.ts';

function entry(
  id: string,
  from: string,
  until: string,
  more: Partial<StoredAnnouncement> = {},
): StoredAnnouncement {
  const day = (at: string) => `2026-06-${at}T00:00:00Z`;
  return { id, message: id, link: '', published: day(from), expires: day(until), ...more };
}

const german = { sites: ['de.example'] };
const first = entry('first', '01', '20');
const beside = entry('beside', '03', '20', { alongside: true });
const withdrawn = entry('withdrawn', '04', '20', { withdrawn: '2026-06-04T00:00:00Z' });
const elsewhere = entry('elsewhere', '04', '20', { audience: german });
const second = entry('second', '05', '10');
const last = entry('last', '10', '30');
const file = {
  version: 1 as const,
  announcements: [last, elsewhere, second, withdrawn, beside, first],
  changes: [],
};

test('an announcement gives way to the next one for its audience, unless that is shown alongside, withdrawn or starts at its end', () => {
  expect(successorOf(file, first)?.id).toBe('second');
  expect(successorOf(file, beside)?.id).toBe('second');
  expect(successorOf(file, second)).toBeUndefined();
  expect(successorOf(file, last)).toBeUndefined();
  expect(successorOf(file, elsewhere)).toBeUndefined();
});

test('an announcement takes the place of those still shown when it starts, the latest first', () => {
  expect(replacedBy(file, second).map(({ id }) => id)).toEqual(['beside', 'first']);
  expect(replacedBy(file, last).map(({ id }) => id)).toEqual([]);
  expect(replacedBy(file, beside)).toEqual([]);
  expect(replacedBy(file, first)).toEqual([]);
});
