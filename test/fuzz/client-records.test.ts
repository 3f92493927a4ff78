import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roundTable } from '../../src/cli/commands/stats/round-table.ts';
import { appendImportedRounds, readImportedRounds } from '../../src/tui/progress/imported-rounds.ts';
import { progressReport } from '../../src/tui/progress/report.ts';
import { reportLines } from '../../src/tui/progress/report-text.ts';
import { roundRecord } from '../../src/tui/progress/round-record.ts';
import { readOptions } from '../../src/tui/record/options.ts';
import { english } from '../../src/typing/letters/language.ts';
import { typedRound } from '../support/typed-rounds.ts';
import { factor, seed } from './amount.ts';
import { damageText } from './file-damage.ts';
import { createRandom } from './random.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-records-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const started = 1_790_000_000_000;

test('whatever happens to the file of imported rounds, the rest of it is read and shown', async () => {
  const folder = join(dir, 'history');
  for (let day = 0; day < 12; day += 1) {
    const round = typedRound({ at: new Date(started + day * 86_400_000) });
    appendImportedRounds(folder, [{ ...roundRecord(round, english), source: 'keybr' }]);
  }
  const path = join(folder, 'imported.jsonl');
  const whole = await readFile(path, 'utf8');
  const intact = new Set(whole.split('\n').filter(Boolean));
  for (let number = 0; number < 30 * factor; number += 1) {
    const text = damageText(whole, createRandom(seed, number));
    await writeFile(path, text);
    const where = `FUZZ_SEED=${seed}, number ${number}: ${text.slice(0, 200)}`;
    const { records, damagedLines } = await readImportedRounds(folder);
    const distinct = new Set(text.split('\n').filter((line) => intact.has(line)));
    expect(records.length, where).toBeGreaterThanOrEqual(distinct.size);
    const history = { records: [], imported: records, damagedLines };
    for (const timeZone of ['UTC', 'Pacific/Apia']) {
      const report = progressReport(history, timeZone, { source: 'all' });
      const said = [...reportLines(report), roundTable(records).replaceAll('\r\n', ' ')].join(' ');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
      expect(said, where).not.toMatch(/NaN|Infinity|undefined|\[object|[\u0000-\u001f\u007f-\u009f]/);
    }
  }
});

test('whatever the file of options contains, there are options', async () => {
  const whole = JSON.stringify(await readOptions(dir), undefined, 2);
  for (let number = 0; number < 50 * factor; number += 1) {
    const text = damageText(whole, createRandom(seed, number));
    await writeFile(join(dir, 'options.json'), text);
    const options = await readOptions(dir);
    expect(Object.keys(options).sort(), text).toEqual(Object.keys(JSON.parse(whole)).sort());
    expect(typeof options.sounds, text).toBe('boolean');
  }
});
