import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addLocalRounds } from '../../src/cli/typist/local-rounds.ts';
import { runHere } from '../support/typebadge-here.ts';
import { runTypebadge } from '../support/typebadge-process.ts';
import { type RoundWish, typedRound } from '../support/typed-rounds.ts';

let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'typebadge-stats-'));
});

afterEach(() => rmSync(data, { recursive: true }));

/** Puts rounds into the store, as `play` does; a number is a day of January 2026. */
function keep(...rounds: readonly (Partial<RoundWish> & { readonly on: number | string })[]): Promise<void> {
  const typed = rounds.map(({ on, ...wish }) =>
    typedRound({ at: typeof on === 'number' ? new Date(Date.UTC(2026, 0, on, 12)) : on, ...wish }),
  );
  return addLocalRounds({ data }, typed);
}

const stats = (...args: string[]) => runHere(['stats', '--data', data, ...args], { env: { TZ: 'UTC' } });

const kept = (days: number, wish: Partial<RoundWish> = {}) =>
  keep(
    ...Array.from({ length: days * 2 }, (_, at) => ({
      on: 1 + Math.floor(at / 2),
      wpm: 41 + Math.floor(at / 2),
      ...wish,
    })),
  );

test('without rounds it says how to begin', async () => {
  const env = { TZ: 'UTC', HOME: data, XDG_CONFIG_HOME: data };
  const { code, stdout } = await runHere(['stats', '--data', data], { env });
  expect([code, stdout]).toEqual([0, 'No finished rounds yet. Start with: typebadge play\n']);
});

test('--since today lists every kind of round of the day, also those that do not count', async () => {
  const on = new Date().toISOString();
  await keep({ on, mode: 'drill' });
  expect((await stats('--since', 'today')).stdout).toContain(
    'No round counts yet.\ndrill: 1 round, not counted.\n',
  );
  await keep({ on, mode: 'time-60', wpm: 50 }, { on, wpm: 41 }, { on, wpm: 41 });
  const { stdout } = await stats('--since', 'today');
  for (const line of [
    /^In all, 4 rounds, .* on 1 day\.$/m,
    /^words-30: 2 rounds, median 41\.0 WPM, best 41\.0\.$/m,
    /^time-60: 1 round, median 50\.0 WPM, best 50\.0\.$/m,
    /^drill: 1 round, not counted\.$/m,
  ])
    expect(stdout).toMatch(line);
});

test('sentences, JSON and CSV have the same rounds', async () => {
  await kept(12);
  const text = await stats();
  expect(text.stdout).toContain('24 rounds on 12 days, 2026-01-01 to 2026-01-12.');
  expect(text.stdout).toContain('Speed: rising, +7.0 WPM a week.');
  expect(text.stdout).toContain('Accuracy: unchanged.');
  expect(text.stdout).toContain('2026-01-12: 2 rounds, median 52.0 WPM, ');
  const json = JSON.parse((await stats('--json')).stdout);
  expect(json).toMatchObject({ runs: 24, damagedLines: 0, speedTrend: { kind: 'rising' } });
  expect(json.kind.bestWpm).toBeCloseTo(52, 1);
  const [head = '', ...rows] = (await stats('--csv')).stdout.trim().split('\r\n');
  expect(rows).toHaveLength(24);
  const first = Object.fromEntries(head.split(',').map((name, at) => [name, rows[0]?.split(',')[at]]));
  expect(first).toMatchObject({ finished: '2026-01-01T12:00:00.000Z', mode: 'words-30', counts: 'true' });
  expect(Number(first.standardWpm)).toBeCloseTo(41, 1);
});

test('the CSV has rounds of every kind, unless a filter chooses', async () => {
  await keep({ on: 1, mode: 'time-60' }, { on: 2 });
  expect((await stats('--csv')).stdout.trim().split('\r\n')).toHaveLength(3);
  expect((await stats('--csv', '--mode', 'time-60')).stdout.trim().split('\r\n')).toHaveLength(2);
});

test('a round that does not count affects no figure, is mentioned, and is marked in the CSV', async () => {
  await keep({ on: 1 }, { on: 2 }, { on: 3, wpm: 2100 });
  const { stdout } = await stats();
  expect(stdout).toContain('2 rounds on 2 days, 2026-01-01 to 2026-01-02.');
  expect(stdout).toContain('1 round not counted: drills, pasted, or faster than anyone types.');
  expect(stdout).not.toContain('2100');
  expect((await stats('--csv')).stdout.split('\r\n')[3]).toMatch(/,false,2\d{3}[\d.]*,words-30,en,qwerty,/);
});

test.runIf(process.platform === 'linux')(
  'a relative XDG folder is ignored, as its specification demands, in any working directory',
  async () => {
    const share = join(data, '.local', 'share', 'typebadge');
    await addLocalRounds({ data: share }, [typedRound({ at: '2026-01-01T12:00:00Z' })]);
    const env = { HOME: data, XDG_DATA_HOME: 'here', XDG_CONFIG_HOME: '.' };
    const { code, stdout } = await runTypebadge(['stats', '--json'], { env, cwd: data });
    expect([code, JSON.parse(stdout).runs]).toEqual([0, 1]);
  },
);

test('--card writes a picture of the figures to the given file, and nowhere else', async () => {
  await keep({ on: 1 }, { on: 2 });
  const file = join(data, 'card.svg');
  const { code, stdout } = await stats('--card', file);
  expect([code, stdout]).toEqual([
    0,
    `${file} shows 2 rounds of words-30. It was written here, and sent nowhere.\n`,
  ]);
  expect(readFileSync(file, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  const png = await stats('--card', join(data, 'card.png'));
  expect([png.code, png.stderr]).toEqual([2, expect.stringContaining('open the SVG in a browser')]);
  const nowhere = await stats('--card', join(data, 'no', 'card.svg'));
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringMatching(/cannot be written to .*: there is no such folder\./),
  ]);
});

test('filters choose rounds, and one that matches none says which kinds exist', async () => {
  await keep({ on: 1 }, { on: 2 }, { on: 3, language: 'de', mode: 'time-60' }, { on: 4 });
  const runs = async (...args: string[]) => JSON.parse((await stats('--json', ...args)).stdout).runs;
  expect(await runs()).toBe(3);
  expect(await runs('--language', 'german', '--layout', 'QWERTY')).toBe(1);
  expect(await runs('--since', '2026-01-02')).toBe(2);
  const none = await stats('--mode', 'time\u001b[2J');
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringMatching(/No mode is called "time\\u001b\[2J": choose words-N, time-N, .*all\./),
  ]);
  const later = await stats('--language', 'de', '--since', '2026-02-01');
  expect([later.code, later.stdout]).toEqual([
    0,
    expect.stringMatching(/^No rounds match\. "typebadge stats --source all"/),
  ]);
  const date = await stats('--since', '2026-02-31');
  expect([date.code, date.stderr]).toEqual([
    2,
    expect.stringContaining('"2026-02-31" is not a day: write 2026-01-31'),
  ]);
});

test('nothing found is no failure, unless a card has nothing to show', async () => {
  await keep({ on: 1 });
  const exits = async (...args: string[]) => (await stats(...args)).code;
  for (const form of [[], ['--json'], ['--export']]) {
    expect(await exits('--mode', 'words-50', ...form), form.join()).toBe(0);
    for (const [flag, name] of Object.entries({ mode: 'time', language: 'klingon', layout: 'none' }))
      expect(await exits(`--${flag}`, name, ...form), [name, ...form].join(' ')).toBe(2);
  }
  const json = await stats('--language', 'de', '--json');
  expect(JSON.parse(json.stdout).runs).toBe(0);
  expect(json.stderr).toMatch(/^Note: No rounds match\. /);
  expect(await exits('--language', 'de', '--card', join(data, 'card.svg'))).toBe(1);
  expect(existsSync(join(data, 'card.svg'))).toBe(false);
});

test('--since and --until include their days, so that both can name the same one', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const finished = ['2026-01-02T23:59:00.000Z', '2026-01-03T00:00:00.000Z', ago(1), ago(0)];
  await keep(...finished.map((on) => ({ on })));
  const finishedIn = async (...args: string[]) => {
    const { stdout } = await stats('--export', ...args);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).finished]));
  };
  expect(await finishedIn('--since', 'yesterday', '--until', 'yesterday')).toEqual([finished[2]]);
  expect(await finishedIn('--until', '2026-01-02')).toEqual([finished[0]]);
  expect(await finishedIn('--since', '2026-01-03', '--until', '1d')).toEqual(finished.slice(1, 3));
  expect(await finishedIn('--since', '3d')).toEqual(finished.slice(2));
  const turned = await stats('--since', 'today', '--until', 'yesterday');
  expect([turned.code, turned.stderr]).toEqual([
    2,
    expect.stringMatching(/--until \S+ is before --since \S+\./),
  ]);
});

test('no text of the record controls the terminal, in whatever form it is printed', async () => {
  const evil = '\u001b[2J\u009b3J\u202e';
  await keep({ on: 1, client: evil });
  for (const args of [[], ['--json'], ['--csv'], ['--export'], ['--layout', evil]]) {
    const { stdout, stderr } = await stats(...args);
    const lines = (stdout + stderr).replaceAll('\r\n', '\n').replaceAll('\n', ' ');
    expect(lines, args.join(' ')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  }
});
