import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toRoundTable } from '../../src/cli/commands/stats/round-table.ts';
import { createSessionClient, type SessionClient } from '../../src/tui/link/session/session-client.ts';
import { readOptions } from '../../src/tui/record/options.ts';
import { appendRoundRecords, readRoundHistory } from '../../src/tui/record/round-history.ts';
import { toRoundRecord } from '../../src/tui/record/round-record.ts';
import { openUnsentJournal } from '../../src/tui/record/unsent-journal.ts';
import { type Input, isComplete, restoreRound } from '../../src/tui/round/round.ts';
import { toReportLines } from '../../src/tui/text/report-text.ts';
import { toReport } from '../../src/tui/trend/report.ts';
import { handleUnsentRounds } from '../../src/tui/unsent-rounds.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { flawless } from '../support/typing-client.ts';
import { factor, seed } from './amount.ts';
import { damageText } from './file-damage.ts';
import { createRandom } from './random.ts';

let dir: string;
let server: TestServer;
let client: SessionClient;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-records-'));
  server = await startTestServer();
  client = createSessionClient(new URL(server.url));
});
afterAll(async () => {
  await client.close();
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

const started = 1_790_000_000_000;

function toInputs(words: readonly string[], count: number): Input[] {
  return flawless(words)
    .slice(0, count)
    .map((event, at) => ({
      seq: at + 1,
      type: event.type,
      char: event.type === 'keystroke' ? event.char : '',
      seek: 150,
      at: at * 150,
      unix: started + at * 150,
    }));
}

const words = Array.from({ length: 30 }, (_, at) => ['stone', 'river'][at % 2] as string);

test('whatever happens to the record of finished rounds, the rest of it is read and shown', async () => {
  const folder = join(dir, 'history');
  const round = restoreRound(words, toInputs(words, 1_000));
  expect(isComplete(round)).toBe(true);
  for (let days = 0; days < 12; days += 1) {
    const record = toRoundRecord(round, false);
    appendRoundRecords(folder, [
      { ...record, finished: new Date(started + days * 86_400_000).toISOString() },
    ]);
  }
  const path = join(folder, 'runs.jsonl');
  const whole = await readFile(path, 'utf8');
  const intact = new Set(whole.split('\n').filter(Boolean));
  for (let number = 0; number < 120 * factor; number += 1) {
    const text = damageText(whole, createRandom(seed, number));
    await writeFile(path, text);
    const where = `FUZZ_SEED=${seed}, number ${number}: ${text.slice(0, 200)}`;
    const history = await readRoundHistory(folder);
    expect(history.records.length, where).toBeGreaterThanOrEqual(
      text.split('\n').filter((line) => intact.has(line)).length,
    );
    for (const zone of ['UTC', 'Pacific/Apia']) {
      const said = [
        ...toReportLines(toReport(history, zone)),
        toRoundTable(history.records).replaceAll('\r\n', ' '),
      ].join(' ');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
      expect(said, where).not.toMatch(/NaN|Infinity|undefined|\[object|[\u0000-\u001f\u007f-\u009f]/);
    }
  }
});

test('whatever happens to an undelivered round, it is delivered, resumed or ignored, and nothing breaks', async () => {
  const folder = join(dir, 'unsent');
  const fates = new Set<string>();
  for (let number = 0; number < 50 * factor; number += 1) {
    const random = createRandom(seed, number);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const session = await client.createSession({ punctuation: false, isStrict: true });
    const { words: served, rules } = await client.startRound(session);
    const inputs = toInputs(served, random.pick([5, 60, 1_000]));
    const journal = openUnsentJournal(
      folder,
      {
        session,
        server: server.url,
        punctuation: false,
        words: served,
        rules,
        pid: 2 ** 30,
        created: started,
      },
      inputs,
    );
    journal.close();
    const [name = ''] = await import('node:fs').then(({ readdirSync }) => readdirSync(folder));
    const text = damageText(await readFile(join(folder, name), 'utf8'), random);
    await writeFile(join(folder, name), text);
    const where = `FUZZ_SEED=${seed}, number ${number}: ${text.slice(0, 2_000)}`;
    const findings = await handleUnsentRounds({ folder, client, server: server.url }).catch((error) =>
      expect.fail(`${where}\n${error.stack}`),
    );
    fates.add(
      findings.delivered > 0 ? 'delivered' : findings.left === undefined ? 'passed over' : 'taken up',
    );
    if (findings.left !== undefined) {
      const round = restoreRound(findings.left.head.words, findings.left.inputs);
      expect(() => toRoundRecord(round, findings.left?.head.punctuation === true), where).not.toThrow();
      const figures = round.inputs.flatMap(({ seek, at, unix }) => [seek, at, unix]);
      expect(
        figures.every((figure) => Number.isFinite(figure) && figure >= 0),
        where,
      ).toBe(true);
      expect(
        round.typed.every((char) => typeof char === 'string'),
        where,
      ).toBe(true);
      expect(new Date(findings.left.head.created).getTime(), where).toBeGreaterThanOrEqual(0);
    }
    await client.deleteSession(session);
  }
  expect([...fates].sort()).toEqual(['delivered', 'passed over', 'taken up']);
});

test('whatever the file of options contains, there are options', async () => {
  const whole = JSON.stringify(await readOptions(dir), undefined, 2);
  for (let number = 0; number < 200 * factor; number += 1) {
    const text = damageText(whole, createRandom(seed, number));
    await writeFile(join(dir, 'options.json'), text);
    const options = await readOptions(dir);
    expect(Object.keys(options).sort(), text).toEqual(Object.keys(JSON.parse(whole)).sort());
    expect(typeof options.sounds, text).toBe('boolean');
  }
});
