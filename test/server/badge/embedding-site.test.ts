import { expect, test } from 'vitest';
import { createSiteNames } from '../../../src/server/badge/pulse-handler.ts';

test('sites get a bounded number of counters and keep those they have, and a new day has room again', () => {
  const nameOf = createSiteNames();
  const sites = Array.from({ length: 30 }, (_, number) => `site${number}.example`);
  const pairs = new Set<string>();
  for (const site of [sites[29] ?? '', ...sites])
    for (let number = 0; number < 2_000; number += 1) {
      const name = nameOf('2026-11-22', site, `2026-${number}`);
      if (name !== 'other') pairs.add(`${number} ${name}`);
    }
  expect(pairs.size).toBe(10_000);
  expect(nameOf('2026-11-22', 'site29.example', '2026-0')).toBe('site29.example');
  expect(nameOf('2026-11-22', 'late.example', '2026-0')).toBe('other');
  expect(nameOf('2026-11-23', 'late.example', '2026-0')).toBe('late.example');
});
