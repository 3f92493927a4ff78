import { expect, test } from 'vitest';
import { newCommandLine } from './command-line.ts';

const day = 86_400_000;
const at = (days: number) => `${new Date(Date.now() + days * day).toISOString().slice(0, 19)}Z`;
const entry = (id: string, from: number, until: number, more: object = {}) => ({
  id,
  message: `Words of ${id}`,
  link: '',
  published: at(from),
  expires: at(until),
  alongside: true,
  ...more,
});

const line = newCommandLine(
  {
    'history.json': {
      announcements: [
        entry('old', -90, -60),
        entry('ends-soon', -3, 5, { translations: { de: { message: 'Die Straße ist gesperrt' } } }),
        entry('ends-early', -3, 90, { expired: at(2) }),
        entry('lasts', -2, 90, { audience: { paths: ['/docs/*'] }, severity: 'critical' }),
        entry('comes', 3, 5),
        ...Array.from({ length: 30 }, (_, number) => entry(`past-${number}`, -20, -10)),
      ],
    },
  },
  { forAll: true },
);

const list = (...args: string[]) => line.run(['announce', 'list', ...args]);

test.each([
  [['--state', 'scheduled'], ['comes']],
  [
    ['--ending', '7d'],
    ['ends-early', 'ends-soon'],
  ],
  [['--ending', '3d'], ['ends-early']],
  [['--search', 'STRASSE gesperrt'], []],
  [['--search', 'straße GESPERRT'], ['ends-soon']],
  [['--search', '/docs'], ['lasts']],
  [
    ['--state', 'active', '--search', 'words of'],
    ['ends-early', 'ends-soon', 'lasts'],
  ],
])('list %j finds %j', async (args, expected) => {
  const { stdout, code } = await list(...args, '--json');
  expect(code).toBe(0);
  const { announcements, total } = JSON.parse(stdout) as { announcements: { id: string }[]; total: number };
  expect(announcements.map(({ id }) => id).sort()).toEqual(expected);
  expect(total).toBe(expected.length);
});

test('--all lists everything, and without it the list says how to see the rest', async () => {
  const some = await list();
  expect(some.stdout).toContain('15 more: --all shows them.');
  const all = await list('--all', '--json');
  expect(JSON.parse(all.stdout).announcements).toHaveLength(35);
  expect((await list('--state', 'past', '--search', 'nowhere')).stdout).toContain('None of the 35');
});
