import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { appendRoundRecords } from '../../src/tui/record/round-history.ts';
import type { RoundRecord } from '../../src/tui/record/round-line.ts';
import { runTypebadge } from '../support/typebadge-process.ts';

let data: string;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'typebadge-stats-'));
});

afterEach(() => rmSync(data, { recursive: true }));

function newRecord(day: number): RoundRecord {
  return {
    version: 3,
    finished: new Date(Date.UTC(2026, 0, day, 12)).toISOString(),
    wpm: 1 + day,
    standardWpm: 40 + day,
    accuracy: 96,
    seconds: 40,
    correct: 150,
    total: 156,
    omitted: 0,
    counts: true,
    mode: 'words-30',
    language: 'en',
    layout: 'qwerty',
    punctuation: false,
    letters: { e: { presented: 20, correct: 19, seekMs: 3000, seekCount: 20 } },
    errors: { 'e>r': 1 },
    unmeasured: 0,
  };
}

test('without rounds it says how to begin, which folder was read, and how to name another', async () => {
  const env = { TZ: 'UTC', HOME: data, XDG_CONFIG_HOME: data };
  const { code, stdout } = await runTypebadge(['stats', '--data', data], { env });
  const hint = `Rounds were looked for in ${join(data, 'typist')}: --data names another folder, --profile a profile`;
  expect([code, stdout]).toEqual([0, `No finished rounds yet. Start with: typebadge play\n${hint}.\n`]);
  appendRoundRecords(join(data, 'typist', 'profiles', 'work'), [newRecord(1)]);
  const filtered = await runTypebadge(['stats', '--data', data, '--since', 'today'], { env });
  expect(filtered.code).toBe(0);
  expect(filtered.stdout).toContain(`${hint} (there are: work).`);
});

test('with nothing but imported rounds, stats shows them and does not say where it looked', async () => {
  const file = join(data, 'rounds.jsonl');
  const exported = { ...newRecord(1), source: 'monkeytype' };
  writeFileSync(file, `${JSON.stringify(exported)}\n`);
  const env = { TZ: 'UTC' };
  expect((await runTypebadge(['import', file, '--data', data], { env })).code).toBe(0);
  const { stdout } = await runTypebadge(['stats', '--data', data, '--source', 'all'], { env });
  expect(stdout).toContain('1 round on 1 day');
  expect(stdout).not.toContain('looked for');
});

test('--since today lists every kind of round of the day, also those that do not count', async () => {
  const now = { ...newRecord(1), finished: new Date().toISOString() };
  const drill = { ...now, mode: 'drill', counts: false };
  const stats = () => runTypebadge(['stats', '--data', data, '--since', 'today'], { env: { TZ: 'UTC' } });
  const folder = join(data, 'typist');
  appendRoundRecords(folder, [drill]);
  expect((await stats()).stdout).toContain('No round counts yet.\ndrill: 1 round, not counted.\n');
  appendRoundRecords(folder, [{ ...now, mode: 'time-60', standardWpm: 50 }, now, now]);
  expect((await stats()).stdout).toMatch(
    new RegExp(
      [
        '^Each kind of round, the latest first; --mode, --language and --layout choose one:',
        'words-30: 2 rounds, median 41.0 WPM, best 41.0.',
        'time-60: 1 round, median 50.0 WPM, best 50.0.',
        'drill: 1 round, not counted.',
        '',
        'Of the latest kind, words-30:',
      ].join('\n'),
    ),
  );
});

test('sentences, JSON and CSV have the same rounds, and mention a damaged line', async () => {
  const folder = join(data, 'typist');
  appendRoundRecords(
    folder,
    Array.from({ length: 24 }, (_, at) => newRecord(1 + Math.floor(at / 2))),
  );
  appendFileSync(join(folder, 'runs.jsonl'), '{"finished":"2026-');
  const text = await runTypebadge(['stats', '--data', data], { env: { TZ: 'UTC' } });
  expect(text.stdout).toContain('24 rounds on 12 days, 2026-01-01 to 2026-01-12.');
  expect(text.stdout).toContain('Speed: rising, +7.0 WPM a week (95 % sure: +7.0 to +7.0).');
  expect(text.stdout).toContain('Accuracy: no clear trend');
  expect(text.stdout).toContain('2026-01-12: 2 rounds, median 52.0 WPM, 96.0 % right.');
  expect(text.stdout).toContain('1 damaged line of the record could not be read');
  const json = JSON.parse(
    (await runTypebadge(['stats', '--json', '--data', data], { env: { TZ: 'UTC' } })).stdout,
  );
  expect(json).toMatchObject({ runs: 24, damagedLines: 1, speedTrend: { kind: 'rising', perWeek: 7 } });
  const csv = (await runTypebadge(['stats', '--csv', '--data', data])).stdout.split('\r\n');
  expect(csv).toHaveLength(1 + 24 + 1);
  expect(csv[1]).toBe('2026-01-01T12:00:00.000Z,2,96,40,150,156,false,0,0,true,41,words-30,en,qwerty,,,,,');
});

test('a round that does not count affects no figure, is mentioned, and is marked in the CSV', async () => {
  const folder = join(data, 'typist');
  const pasted = { ...newRecord(3), standardWpm: 2100, counts: false };
  appendRoundRecords(folder, [newRecord(1), newRecord(2), pasted]);
  const { stdout } = await runTypebadge(['stats', '--data', data], { env: { TZ: 'UTC' } });
  expect(stdout).toContain('2 rounds on 2 days, 2026-01-01 to 2026-01-02.');
  expect(stdout).toContain('1 round not counted: drills, ended early, pasted, or faster than anyone types.');
  expect(stdout).not.toContain('2100');
  const csv = (await runTypebadge(['stats', '--csv', '--data', data])).stdout.split('\r\n');
  expect(csv[3]).toMatch(/,false,2100,words-30,en,qwerty,,,,,$/);
});

test('the own layout is selected by its name, languages and layouts by their usual names', async () => {
  const id = 'own-0123456789abcdef';
  const own = { ...newRecord(1), layout: id, layoutName: 'My board' };
  const other = { ...newRecord(2), language: 'de', layout: 'colemak-dh' };
  appendRoundRecords(join(data, 'typist'), [
    own,
    other,
    { ...newRecord(3), layout: id, layoutName: 'My board' },
  ]);
  const stats = (...args: string[]) =>
    runTypebadge(['stats', '--data', data, ...args], { env: { TZ: 'UTC' } });
  const all = await stats();
  expect(all.stdout).toContain('Of the latest kind, words-30 My board:');
  expect(all.stdout).not.toContain(id);
  for (const name of ['My board', 'my board', id]) {
    expect((await stats('--layout', name)).stdout, name).toContain('2 rounds on 2 days');
  }
  expect((await stats('--layout', 'Colemak DH', '--language', 'german')).stdout).toContain(
    '1 round on 1 day',
  );
});

test('a round with mostly wrong keys is not a personal best', async () => {
  const mashed = { ...newRecord(2), accuracy: 12, standardWpm: 190 };
  appendRoundRecords(join(data, 'typist'), [newRecord(1), mashed]);
  const { stdout } = await runTypebadge(['stats', '--json', '--data', data], { env: { TZ: 'UTC' } });
  expect(JSON.parse(stdout).kind.bestWpm).toBeCloseTo(41);
});

test('only one format at a time; a closed pipe is not a failure, a full disk is', async () => {
  const both = await runTypebadge(['stats', '--json', '--csv']);
  expect(both.code).toBe(2);
  expect(both.stderr).toContain("option '--json' cannot be used with option '--csv'");
  expect(await inShell('set -o pipefail; "$0" "$1" stats --data "$2" | true')).toEqual({ code: 0, err: '' });
  if (existsSync('/dev/full')) {
    const full = await inShell('"$0" "$1" stats --data "$2" > /dev/full');
    expect(full).toEqual({
      code: 1,
      err: expect.stringMatching(/^Error: The output could not be written.*\n$/),
    });
  }
});

test.runIf(process.platform === 'linux')(
  'a relative XDG folder is ignored, as its specification demands, in any working directory',
  async () => {
    appendRoundRecords(join(data, '.local', 'share', 'typebadge', 'typist'), [newRecord(1)]);
    const env = { HOME: data, XDG_DATA_HOME: 'here', XDG_CONFIG_HOME: '.' };
    const { code, stdout } = await runTypebadge(['stats', '--json'], { env, cwd: data });
    expect([code, JSON.parse(stdout).runs]).toEqual([0, 1]);
  },
);

async function inShell(script: string): Promise<{ code: number | null; err: string }> {
  const child = spawn('bash', ['-c', script, process.execPath, packageFile('bin', 'typebadge.js'), data]);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code, err };
}

test('--card writes a picture of the figures to the given file, and nowhere else', async () => {
  appendRoundRecords(join(data, 'typist'), [newRecord(1), newRecord(2)]);
  const file = join(data, 'card.svg');
  const { code, stdout } = await runTypebadge(['stats', '--data', data, '--card', file]);
  expect([code, stdout]).toEqual([
    0,
    `${file} shows 2 rounds of words-30. It was written here, and sent nowhere.\n`,
  ]);
  expect(readFileSync(file, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  appendRoundRecords(join(data, 'typist'), [{ ...newRecord(3), mode: 'time-5' }]);
  const other = await runTypebadge(['stats', '--data', data, '--card', file]);
  expect(other.stdout).toContain('shows 1 round of time-5; 2 rounds of other kinds are left out (--mode, ');
  const png = await runTypebadge(['stats', '--data', data, '--card', join(data, 'card.png')]);
  expect([png.code, png.stderr]).toEqual([2, expect.stringContaining('open the SVG in a browser')]);
  const nowhere = await runTypebadge(['stats', '--data', data, '--card', join(data, 'no', 'card.svg')]);
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringMatching(/cannot be written to .*: there is no such folder\./),
  ]);
});

test('filters choose rounds, and one that lets none through says what there is', async () => {
  const german = { ...newRecord(3), language: 'de', mode: 'time-60' };
  appendRoundRecords(join(data, 'typist'), [german, newRecord(1), newRecord(2), newRecord(4)]);
  const runs = async (...args: string[]) => {
    const { stdout } = await runTypebadge(['stats', '--json', '--data', data, ...args], {
      env: { TZ: 'UTC' },
    });
    return JSON.parse(stdout).runs;
  };
  expect(await runs()).toBe(3);
  expect(await runs('--language', 'de')).toBe(1);
  expect(await runs('--since', '2026-01-02')).toBe(2);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  appendRoundRecords(join(data, 'typist'), [
    { ...newRecord(5), finished: ago(0) },
    { ...newRecord(6), finished: ago(1) },
    { ...newRecord(7), finished: ago(3) },
  ]);
  const since = ['yesterday', '4d', '1w'].map((day) => runs('--since', day));
  expect(await Promise.all(since)).toEqual([2, 3, 3]);
  const none = await runTypebadge(['stats', '--data', data, '--mode', 'time\u001b[2J']);
  expect([none.code, none.stderr]).toEqual([
    1,
    expect.stringContaining('No rounds match --mode time\\u001b[2J'),
  ]);
  const prefix = await runTypebadge(['stats', '--data', data, '--mode', 'time']);
  expect([prefix.code, prefix.stderr]).toEqual([
    1,
    'Error: No rounds match --mode time: you have time-60.\n',
  ]);
  const later = await runTypebadge(['stats', '--data', data, '--language', 'de', '--since', '2026-02-01'], {
    env: { TZ: 'UTC' },
  });
  expect([later.code, later.stdout]).toEqual([
    0,
    'No rounds match --language de since 2026-02-01: the latest is from 2026-01-03.\n',
  ]);
  const guessed = await runTypebadge(['stats', '--data', data, '--language', 'ger']);
  expect([guessed.code, guessed.stderr]).toEqual([
    1,
    'Error: No rounds match --language ger: "typebadge stats" lists the kinds that you have. Did you mean --language de?\n',
  ]);
  const date = await runTypebadge(['stats', '--data', data, '--since', '2026-02-31']);
  expect([date.code, date.stderr]).toEqual([
    2,
    'Error: --since: 2026-02-31 does not exist; write 2026-02-28.\n',
  ]);
});

test('nothing found is no failure, unless a name is given that does not exist or a card has nothing to show', async () => {
  const usual = newRecord(1);
  appendRoundRecords(join(data, 'typist'), [
    usual,
    { ...usual, mode: 'zen', layout: 'own-0123456789abcdef', layoutName: 'Mine' },
  ]);
  const stats = (...args: string[]) =>
    runTypebadge(['stats', '--data', data, ...args], { env: { TZ: 'UTC' } });
  const exits = async (...args: string[]) => (await stats(...args)).code;
  const [exists, missing] = [
    [
      ['--mode', 'words-50'],
      ['--mode', 'code-python'],
      ['--mode', 'zen', '--layout', 'Mine', '--since', 'today'],
      ['--layout', 'Colemak DH'],
    ],
    [
      ['--mode', 'time'],
      ['--mode', 'code-klingon'],
      ['--language', 'klingon'],
      ['--layout', 'none'],
    ],
  ];
  for (const form of [[], ['--json'], ['--csv'], ['--export']]) {
    for (const args of exists) expect(await exits(...args, ...form), [...args, ...form].join(' ')).toBe(0);
    for (const args of missing) expect(await exits(...args, ...form), [...args, ...form].join(' ')).toBe(1);
  }
  const json = await stats('--language', 'de', '--json');
  expect(JSON.parse(json.stdout).runs).toBe(0);
  expect(json.stderr).toMatch(/^Note: No rounds match --language de: /);
  const card = await stats('--language', 'de', '--card', join(data, 'card.svg'));
  expect([card.code, card.stderr]).toEqual([
    1,
    expect.stringMatching(/^Error: No rounds match --language de: /),
  ]);
  expect(existsSync(join(data, 'card.svg'))).toBe(false);
});

test('--until ends the days that --since begins, so that one day can be asked for', async () => {
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const finished = ['2026-01-02T23:59:00Z', '2026-01-03T00:00:00Z', at(1), at(0)];
  appendRoundRecords(
    join(data, 'typist'),
    finished.map((moment, place) => ({ ...newRecord(place + 1), finished: moment })),
  );
  const stats = (...args: string[]) =>
    runTypebadge(['stats', '--data', data, ...args], { env: { TZ: 'UTC' } });
  const finishedIn = async (...args: string[]) => {
    const { stdout } = await stats('--export', ...args);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).finished]));
  };
  expect(await finishedIn('--since', 'yesterday', '--until', 'Yesterday')).toEqual([finished[2]]);
  expect(await finishedIn('--until', '2026-01-02')).toEqual([finished[0]]);
  expect(await finishedIn('--since', '2026-01-03', '--until', '1d')).toEqual(finished.slice(1, 3));
  expect((await stats('--since', '2025-12-01', '--until', '2025-12-31')).stdout).toMatch(
    /^No rounds from 2025-12-01 to 2025-12-31: you have some from 2026-01-02 to \d{4}-\d\d-\d\d\.\n$/,
  );
  expect((await stats('--until', '2025-12-31')).stdout).toContain('No rounds until 2025-12-31: ');
  expect((await stats('--since', '2025-12-31', '--until', '2025-12-31')).stdout).toContain('on 2025-12-31: ');
  const turned = await stats('--since', 'today', '--until', 'yesterday');
  expect([turned.code, turned.stderr]).toEqual([
    2,
    expect.stringMatching(/--until \S+ is before --since \S+\./),
  ]);
  expect((await stats('--until', 'someday')).stderr).toBe(
    'Error: --until: "someday" is not a recognised time; write 2026-01-31, yesterday, 7d or 2w.\n',
  );
  expect(await finishedIn('--until', '02.01.2026')).toEqual([finished[0]]);
  expect(await finishedIn('--since', '3 days')).toEqual(finished.slice(2));
});

test.each([
  ['before', 'Did you mean --until 2026-01-31?'],
  ['yesterday', 'Did you mean --since yesterday --until yesterday?'],
  ['--yesterday', 'Did you mean --since yesterday --until yesterday?'],
  ['--week', 'Did you mean --since 7d?'],
  ['7d', 'Did you mean --since 7d?'],
  ['2026-01-31', 'Did you mean --since 2026-01-31?'],
  ['time-60', 'Did you mean --mode time-60?'],
  ['german', 'Did you mean --language de?'],
  ['--dvorak', 'Did you mean --layout dvorak?'],
  ['python', 'Did you mean --mode code-python?'],
  ['json', 'Did you mean --json?'],
  ['--jsno', 'Did you mean --json?'],
  [
    '--export=my rounds.jsonl',
    "It takes jsonl or csv. To write a file: typebadge stats --export > 'my rounds.jsonl'",
  ],
  ['--export=rounds.csv', 'typebadge stats --export csv > rounds.csv'],
  ['--xyzzy', 'unknown option "--xyzzy". (See'],
  ['a\u001b[2J', 'stats takes options only, and got "a\\u001b[2J". (See'],
])('"stats %s" is answered with the spelling that works', async (argument, reason) => {
  const { code, stderr } = await runTypebadge(['stats', '--data', data, argument]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test.each([
  ['history', 'typebadge stats'],
  ['results', 'typebadge stats'],
  ['yesterday', 'typebadge stats --since yesterday --until yesterday'],
  ['practice', 'typebadge play'],
])('"typebadge %s" is answered with the existing command', async (name, command) => {
  const { code, stderr } = await runTypebadge([name]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`(Did you mean "${command}"?)`)]);
});

test('no text of the record controls the terminal, in whatever form it is printed; an export means the same', async () => {
  const evil = '\u001b[2J\u009b3J\u202e';
  const folder = join(data, 'typist');
  const errors = { [`e>${evil}`]: 2 };
  appendRoundRecords(folder, [{ ...newRecord(1), layout: 'own-0123456789abcdef', layoutName: evil, errors }]);
  for (const args of [[], ['--json'], ['--csv'], ['--export'], ['--export', 'csv'], ['--layout', evil]]) {
    const { stdout, stderr } = await runTypebadge(['stats', '--data', data, ...args], { env: { TZ: 'UTC' } });
    const lines = (stdout + stderr).replaceAll('\r\n', '\n').replaceAll('\n', ' ');
    expect(lines, args.join(' ')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
  }
  const { stdout } = await runTypebadge(['stats', '--data', data, '--export'], { env: { TZ: 'UTC' } });
  expect(JSON.parse(stdout).errors).toEqual(errors);
});

test.each([
  [
    'keybr',
    'Download typing-data.json on the profile page of keybr, and "typebadge import typing-data.json"',
  ],
  [
    'monkeytype',
    'Download results.csv on the account page of monkeytype, and "typebadge import results.csv"',
  ],
])('without rounds of %s it says how to get them', async (source, next) => {
  appendRoundRecords(join(data, 'typist'), [newRecord(1)]);
  const { code, stdout } = await runTypebadge(['stats', '--data', data, '--source', source]);
  expect([code, stdout]).toEqual([
    0,
    `No rounds match --source ${source}: none were imported yet. ${next} reads it.\n`,
  ]);
});

test('each letter that was typed often enough has a figure of its own', async () => {
  const rare = { presented: 3, correct: 3, seekMs: 300, seekCount: 3 };
  const record = newRecord(1);
  appendRoundRecords(join(data, 'typist'), [{ ...record, letters: { ...record.letters, x: rare } }]);
  const { stdout } = await runTypebadge(['stats', '--data', data]);
  expect(stdout).toContain('Each letter, % right and time from the key before: e 95.0 % in 150 ms.\n');
});
