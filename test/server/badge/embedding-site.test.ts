import { expect, test } from 'vitest';
import { createSiteNames } from '../../../src/server/badge/pulse-handler.ts';

const day = '2026-11-22';
const listed = (name: string) => ({ name, isByWildcard: false });
const made = (name: string) => ({ name, isByWildcard: true });

test.each([
  ['on the list', listed],
  ['under a wildcard', made],
])(
  'sites %s get a bounded number of counters and keep those they have, and a new day has room again',
  (_, site) => {
    const nameOf = createSiteNames();
    const sites = Array.from({ length: 30 }, (_, number) => site(`site${number}.example`));
    const pairs = new Set<string>();
    for (const each of [site('site29.example'), ...sites])
      for (let number = 0; number < 2_000; number += 1) {
        const name = nameOf(day, each, `2026-${number}`);
        if (name !== 'other') pairs.add(`${number} ${name}`);
      }
    expect(pairs.size).toBe(10_000);
    expect(nameOf(day, site('site29.example'), '2026-0')).toBe('site29.example');
    expect(nameOf(day, site('late.example'), '2026-0')).toBe('other');
    expect(nameOf('2026-11-23', site('late.example'), '2026-0')).toBe('late.example');
  },
);

test('made-up sites under a wildcard use up no counters of those on the list', () => {
  const nameOf = createSiteNames();
  for (let number = 0; number < 20_000; number += 1) nameOf(day, made(`site${number}.example`), '2026-1');
  expect(nameOf(day, made('late.example'), '2026-1')).toBe('other');
  expect(nameOf(day, listed('site.example'), '2026-1')).toBe('site.example');
});
