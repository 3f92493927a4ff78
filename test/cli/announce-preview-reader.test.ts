import { expect, test } from 'vitest';
import { newCommandLine } from './command-line.ts';

const at = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`;
const entry = (id: string, more: object = {}) => ({
  ...{ id, message: `Words of ${id}`, link: '', published: at(-1), expires: at(9), alongside: true },
  ...more,
});

const line = newCommandLine(
  {
    'history.json': {
      announcements: [
        entry('docs', {
          severity: 'critical',
          audience: { paths: ['/docs/*'] },
          translations: { de: { message: 'Worte der Doku' } },
        }),
        entry('shop', { audience: { sites: ['https://shop.example'] } }),
        entry('all'),
        entry('later', { severity: 'warning', published: at(7) }),
      ],
    },
    'origins.json': { origins: ['https://*.example.org'] },
  },
  { forAll: true },
);

const run = (...args: string[]) => line.run(['announce', ...args]);

test('preview says what a reader of a page sees, in which words, and why the rest is not shown', async () => {
  const { stdout, code } = await line.run(
    'announce preview --site https://www.example.org --path /docs/x --lang de-at',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('Kritisch · Worte der Doku');
  expect(stdout).toMatch(/docs +shown in its translation for de-AT/);
  expect(stdout).toMatch(/all +shown once docs is closed, as it was written: no translation for\s+de-AT/);
  expect(stdout).toMatch(/shop +left out: only on https:\/\/shop\.example/);
});

test('preview --json has the ids, the places and the reasons', async () => {
  const { value } = await line.json('announce preview --site https://www.example.org/docs/x');
  expect(value).toMatchObject({
    reader: { site: 'https://www.example.org', path: '/docs/x', language: null },
    siteListed: true,
    announcement: { id: 'docs', message: 'Words of docs' },
  });
  const places = value.active.map(({ id, place }: Record<string, string>) => `${id} ${place}`);
  expect(places).toEqual(['docs shown', 'all next', 'shop site']);
});

test('a site that is not on the allow-list sees only the logo, and the command to change that is shown', async () => {
  const { value } = await line.json('announce preview --site https://elsewhere.example');
  expect(value).toMatchObject({ siteListed: false, announcement: null });
  const text = (await run('preview', '--site', 'https://elsewhere.example')).stdout;
  expect(text.replaceAll('\n', ' ')).toContain('typebadge origins add https://elsewhere.example');
});

test('preview --at says what readers will see then, when that is, and when the next change follows', async () => {
  const soon = at(8).slice(0, 16);
  const { stdout, code } = await run('preview', '--at', soon.replace('T', ' '));
  expect(code).toBe(0);
  const text = stdout.replaceAll('\n', ' ');
  expect(text).toContain(`What readers see at ${soon.replace('T', ' ')}`);
  expect(text).toContain('in UTC (in 8 days):');
  expect(stdout).toContain('Words of later');
  expect(stdout).toMatch(/later +shown as it was written/);
  expect(stdout).toMatch(/all +shown once later is closed/);
  expect(text).toMatch(/The next change is at .* \(in 9 days\)\./);
});

test('preview --at --json has the moment, and says so where nothing is shown any more', async () => {
  const { value } = await line.json('announce preview --at +30d');
  expect(value).toMatchObject({ announcement: null, active: [] });
  expect(Date.parse(value.at) / 86_400_000).toBeCloseTo(Date.now() / 86_400_000 + 30, 1);
  expect((await run('preview', '--at', '+30d', '--lang', 'de')).stdout).toContain(
    'No announcement is active.',
  );
});

test('a zone is echoed in its usual spelling', async () => {
  expect((await run('list', '--zone', 'europe/berlin')).stdout).toContain('Times are in Europe/Berlin.');
});
