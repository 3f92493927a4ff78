import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { roundTable } from '../../src/cli/commands/stats/print-stats.ts';
import { addLocalRounds, readLocalRounds } from '../../src/cli/typist/local-rounds.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { readImportedRounds } from '../../src/tui/progress/imported-rounds.ts';
import { roundRecord } from '../../src/tui/progress/round-record.ts';
import { english } from '../../src/typing/letters/language.ts';
import { runHere } from '../support/typebadge-here.ts';
import { runTypebadge } from '../support/typebadge-process.ts';
import { typedRound } from '../support/typed-rounds.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'typebadge-import-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(name: string, text: string | Uint8Array): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

const run = (...args: string[]) => runHere([...args, '--data', dir], { env: { TZ: 'UTC' } });
const importJson = async (path: string) => JSON.parse((await run('import', path, '--json')).stdout);

const header =
  '_id,isPb,wpm,acc,rawWpm,consistency,charStats,mode,mode2,quoteLength,restartCount,testDuration,afkDuration,incompleteTestSeconds,punctuation,numbers,language,funbox,difficulty,lazyMode,blindMode,bailedOut,tags,timestamp';

/** A line as monkeytype writes it. */
function toLine(change: Readonly<Record<string, string>> = {}): string {
  const usual: Record<string, string> = {
    _id: '65aa',
    isPb: 'false',
    wpm: '71.25',
    acc: '96.5',
    rawWpm: '74.1',
    consistency: '78.02',
    charStats: '178;3;1;2',
    mode: 'time',
    mode2: '30',
    quoteLength: '-1',
    testDuration: '30.01',
    punctuation: 'false',
    language: 'english',
    bailedOut: 'false',
    timestamp: '1700000000500',
    ...change,
  };
  return header
    .split(',')
    .map((name) => usual[name] ?? '')
    .join(',');
}

const ownRound = typedRound({ at: '2026-01-01T12:00:00Z' });
const ownRecord = roundRecord(ownRound, english);

/** The export of a record with that round. */
async function exported(): Promise<string> {
  await addLocalRounds({ data: dir }, [ownRound]);
  return put('exported.jsonl', (await run('stats', '--export')).stdout);
}

test('import and the statistics of readers report a damaged file', async () => {
  const path = await exported();
  const damage = async (folder: string) => {
    const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
    const file = join(dir, names.find((name) => name.includes(`/${folder}/`)) as string);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"at"', '"AT"'));
    return `It was set aside as ${file}.damaged`;
  };
  const rounds = await damage('rounds');
  expect((await run('import', path)).stderr).toContain(rounds);

  const records = createFileRecords({ dir: recordsFolder(dir) });
  await records.commit('pulse/2026-01', { add: { '2026-01-01 click news other': 1 } });
  await records.close();
  const counters = await damage('pulse');
  put('history.json', '{"announcements":[]}');
  const args = ['announce', 'stats', '--content', dir, '--days', '3660'];
  expect((await run(...args)).stderr).toContain(counters);
});

test('an import that does not fit on the disk fails, and is completed by another', async () => {
  const lines = Array.from({ length: 100 }, (_, at) => toLine({ timestamp: String(1_700_000_000_000 + at) }));
  const path = put('many.csv', [header, ...lines].join('\n'));
  const program = packageFile('bin', 'typebadge.js');
  const limited = `ulimit -f 8; exec "$0" "$@"`;
  const { status, stdout, stderr } = spawnSync('bash', [
    ...['-c', limited, process.execPath, program, 'import', path, '--data', dir],
  ]);
  expect([status, stdout.toString()]).toEqual([1, '']);
  const reason = 'typist cannot be written to: the file would be larger than this system allows.';
  expect(stderr.toString()).toContain(`${dir}/${reason}`);
  const { imported, known } = await importJson(path);
  expect([imported + known, (await importedIn(dir)).length]).toEqual([100, 100]);
});

const importedIn = async (folder: string) => (await readImportedRounds(join(folder, 'typist'))).records;

const lesson = {
  layout: 'en-us',
  textType: 'generated',
  timeStamp: '2023-03-18T17:51:10.000Z',
  length: 123,
  time: 35204,
  errors: 3,
  speed: 209.6,
  histogram: [
    { codePoint: 32, hitCount: 23, missCount: 0, timeToType: 243 },
    { codePoint: 101, hitCount: 37, missCount: 2, timeToType: 264 },
  ],
};

describe('monkeytype', () => {
  test('rounds are imported once, however often the file is imported, and kept apart from those typed here', async () => {
    await addLocalRounds({ data: dir }, [ownRound]);
    const file = put(
      'results.csv',
      [header, toLine(), toLine({ timestamp: '1700000100500', wpm: '80' })].join('\n'),
    );
    const first = await run('import', file);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(
      '2 rounds from monkeytype imported into your record, apart from the rounds typed here, 2023-11-14 to 2023-11-14.',
    );
    const second = await run('import', file);
    expect(second.stdout).toContain('No new rounds from monkeytype.\n');
    expect(second.stdout).toContain('2 rounds already there: left unchanged.');
    const own = JSON.parse((await run('stats', '--json')).stdout);
    expect(own).toMatchObject({ runs: 1, imported: 2, kind: { mode: 'words-30', source: 'own' } });
    const other = JSON.parse((await run('stats', '--json', '--source', 'monkeytype')).stdout);
    expect(other).toMatchObject({
      runs: 2,
      kind: { mode: 'time-30', language: 'en', source: 'monkeytype', bestWpm: 80 },
    });
    expect(other.band[0].speed.median).toBeCloseTo(75.625);
  });

  test('an invalid line is skipped with its number and reason, and the others are imported', async () => {
    const lines = [
      toLine(),
      toLine({ wpm: '=1+1', timestamp: '1' }),
      toLine({ timestamp: '99999999999999' }),
      'only,three,fields',
      toLine({ acc: '\u202e100\u001b[2J', timestamp: '1700000200500' }),
      toLine({ mode: '"a ""quoted""\nmode"' }),
    ];
    const summary = await importJson(put('results.csv', [header, ...lines].join('\n')));
    expect(summary).toMatchObject({ program: 'monkeytype', imported: 1 });
    expect(summary.skipped.map(({ place }: { place: string }) => place)).toEqual([
      'row 3',
      'row 4',
      'row 5',
      'row 6',
      'row 7',
    ]);
    const { stdout } = await run('import', join(dir, 'results.csv'));
    expect(stdout).toContain('row 3: wpm is "=1+1" instead of a number from 0 to 10000.');
    expect(stdout).toContain('row 5: it has 3 fields, and the header names 24.');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('keybr', () => {
  test('lessons have speed, accuracy and letters', async () => {
    const file = put('typing-data.json', JSON.stringify([lesson, { ...lesson, timeStamp: 'never' }]));
    const summary = await importJson(file);
    expect(summary).toMatchObject({ program: 'keybr', imported: 1, from: '2023-03-18T17:51:10.000Z' });
    expect(summary.skipped).toEqual([
      { place: 'lesson 2', reason: 'timeStamp is "never" instead of a time between 1995 and now' },
    ]);
    const [record] = await importedIn(dir);
    expect(record).toMatchObject({ mode: 'guided', layout: 'qwerty', language: 'en', source: 'keybr' });
    expect(record?.standardWpm).toBeCloseTo(123 / 5 / (35.204 / 60));
    expect(record?.letters).toEqual({ e: { presented: 37, correct: 35, seekMs: 264 * 35, seekCount: 35 } });
  });
});

describe('our own export', () => {
  test('is complete: importing it on another computer gives the same record, once', async () => {
    await run('import', put('results.csv', [header, toLine()].join('\n')));
    const file = await exported();
    const there = mkdtempSync(join(tmpdir(), 'typebadge-there-'));
    const summary = await runHere(['import', file, '--data', there]);
    expect(summary.stdout).toContain('2 rounds from typebadge imported into your record, ');
    const [own, foreign] = [await readLocalRounds({ data: dir }, []), await importedIn(dir)];
    expect([await readLocalRounds({ data: there }, []), await importedIn(there)]).toEqual([own, foreign]);
    const again = await runHere(['import', file, '--data', there]);
    expect(again.stdout).toContain('2 rounds already there');
    expect(await readLocalRounds({ data: there }, [])).toEqual(own);
    rmSync(there, { recursive: true });
  });

  test('a line with a time or an id that no round can have is skipped, and the statistics stay', async () => {
    const good = readFileSync(await exported(), 'utf8').trim();
    const change = (part: object) => {
      const line = JSON.parse(good);
      return JSON.stringify({ ...line, round: { ...line.round, id: randomUUID(), ...part } });
    };
    const { timing } = ownRound;
    const wrong = [{ timing: { ...timing, end: Number.MAX_SAFE_INTEGER } }, { id: 'x'.repeat(5_000) }];
    const there = mkdtempSync(join(tmpdir(), 'typebadge-there-'));
    const file = put('some.jsonl', [good, ...wrong.map(change)].join('\n'));
    const { imported, skipped } = JSON.parse(
      (await runHere(['import', file, '--data', there, '--json'])).stdout,
    );
    expect([imported, skipped.map(({ place }: { place: string }) => place)]).toEqual([
      1,
      ['line 2', 'line 3'],
    ]);
    const { code, stdout } = await runHere(['stats', '--export', '--data', there]);
    expect([code, stdout.trim()]).toEqual([0, good]);
    rmSync(there, { recursive: true });
  });

  test('two imports at the same time add each round once', async () => {
    const file = await exported();
    const there = mkdtempSync(join(tmpdir(), 'typebadge-there-'));
    const { stdout } = await run('import', put('results.csv', [header, toLine()].join('\n')));
    expect(stdout).toContain('1 round');
    const both = Array.from({ length: 4 }, () => runTypebadge(['import', file, '--data', there]));
    await Promise.all(both);
    expect(await readLocalRounds({ data: there }, [])).toHaveLength(1);
    rmSync(there, { recursive: true });
  });

  test('the table for spreadsheets contains no formula, has rounded figures, and cannot be imported; the error says what can', async () => {
    const table = roundTable([{ ...ownRecord, mode: '=cmd()', language: '+1', layout: 'a,"b' }]);
    expect(table).toContain(`,'=cmd(),'+1,"a,""b",`);
    expect(table).not.toMatch(/,\d+\.\d{3}/);
    const refused = await run('import', put('rounds.csv', table));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('typebadge stats --export');
  });
});

describe('a file that cannot be imported', () => {
  test.each([
    ['an empty one', ''],
    ['another table', 'a,b\n1,2\n'],
    ['another list', '[1,2,3]'],
    ['columns of monkeytype, but not all', 'mode2,charStats,timestamp\n'],
    ['brackets without end', '['.repeat(5_000_000)],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 1, 2])],
  ])('%s: the error says which files can be imported', async (_, content) => {
    const { code, stdout, stderr } = await run('import', put('file', content));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain("monkeytype's results (CSV), keybr's typing data (JSON)");
  });

  test('the end of a list is missing: nothing is imported', async () => {
    const whole = JSON.stringify([lesson, lesson, lesson]);
    const { code, stderr } = await run('import', put('file', whole.slice(0, -20)));
    expect(code).toBe(1);
    expect(stderr).toContain('download it again');
    expect(readdirSync(dir)).toEqual(['file']);
  });

  test('of thousands of invalid lines, the first thousand are named and all are counted', async () => {
    const file = put('results.csv', [header, 'x\n'.repeat(1_500), toLine()].join('\n'));
    const summary = await importJson(file);
    expect(summary).toMatchObject({ imported: 1, skippedCount: 1_500 });
    expect(summary.skipped).toHaveLength(1_000);
    expect(summary.skipped.at(-1).place).toBe('row 1001');
    const { stdout } = await run('import', file);
    expect(stdout).toContain('1500 rounds skipped:');
    expect(stdout).toContain('  and 1490 more (see --json).');
  });

  test('a missing one, a folder and a device say so', async () => {
    expect((await run('import', join(dir, 'nothing'))).stderr).toContain(
      'cannot be read: there is no such file.',
    );
    expect((await run('import', dir)).stderr).toContain('it is a folder');
    expect((await run('import', '/dev/zero')).stderr).toContain('a pipe or a device');
  });

  test('--dry-run writes nothing', async () => {
    const file = put('results.csv', [header, toLine()].join('\n'));
    expect((await run('import', file, '--dry-run')).stdout).toContain(
      '1 round from monkeytype would be imported',
    );
    expect(readdirSync(dir)).toEqual(['results.csv']);
  });
});
