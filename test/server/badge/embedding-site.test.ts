import { expect, test } from 'vitest';
import { createSiteNames } from '../../../src/server/badge/pulse-handler.ts';

const day = '2026-11-22';
const madeUp = (number: number) => ({ name: `s${number}.b.example`, wildcard: 'https://*.b.example' });
const listed = (number: number) => ({ name: `site${number}.example`, wildcard: undefined });

/** Asks for the name of each site with each announcement, and returns the pairs that are counted by name. */
function countPairs(
  nameOf: ReturnType<typeof createSiteNames>,
  sites: readonly { readonly name: string; readonly wildcard: string | undefined }[],
  announcements: number,
): number {
  const pairs = new Set<string>();
  for (const site of sites) {
    for (let number = 0; number < announcements; number += 1) {
      const announcement = `2026-${number}`;
      const name = nameOf(day, site, announcement);
      if (name !== 'other') pairs.add(`${announcement} ${name}`);
    }
  }
  return pairs.size;
}

test('made-up sites under a wildcard get few counters, however many announcements they name', () => {
  const sites = Array.from({ length: 1_000 }, (_, number) => madeUp(number));
  expect(countPairs(createSiteNames(), sites, 500)).toBe(3_000);
});

test('sites on the list get few counters, too, and keep those they have', () => {
  const nameOf = createSiteNames();
  const sites = Array.from({ length: 30 }, (_, number) => listed(number));
  expect(nameOf(day, listed(29), '2026-0')).toBe('site29.example');
  expect(countPairs(nameOf, sites, 2_000)).toBe(10_000);
  expect(nameOf(day, listed(29), '2026-0')).toBe('site29.example');
});

test('made-up sites use up no counters of those on the list, and a new day has room again', () => {
  const nameOf = createSiteNames();
  countPairs(
    nameOf,
    Array.from({ length: 2_000 }, (_, number) => madeUp(number)),
    10,
  );
  expect(nameOf(day, madeUp(1_999), '2026-1')).toBe('other');
  expect(nameOf(day, listed(1), '2026-1')).toBe('site1.example');
  expect(nameOf('2026-11-23', madeUp(1_999), '2026-1')).toBe('s1999.b.example');
});
