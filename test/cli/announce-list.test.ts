import { expect, test } from 'vitest';
import { newCommandLine } from './command-line.ts';

const day = 86_400_000;
const at = (days: number) => `${new Date(Date.now() + days * day).toISOString().slice(0, 19)}Z`;
const entry = (id: string, from: number, until: number) => ({
  ...{ id, message: `Words of ${id}`, link: '', published: at(from), expires: at(until) },
  alongside: true,
});
const past = Array.from({ length: 30 }, (_, number) => entry(`past-${number}`, -20, -10));
const line = newCommandLine({
  'history.json': { announcements: [...past, entry('lasts', -2, 90), entry('comes', 3, 5)] },
});

const list = (...args: string[]) => line.run(['announce', 'list', ...args]);

test('--all lists everything, and without it the list says how to see the rest', async () => {
  const some = await list();
  expect(some.stdout).toContain('12 more: --all shows them.');
  const all = await list('--all', '--json');
  expect(JSON.parse(all.stdout).announcements).toHaveLength(32);
  expect((await list('--state', 'scheduled')).stdout).toContain('comes');
  expect((await list('--state', 'scheduled')).stdout).not.toContain('lasts');
});
