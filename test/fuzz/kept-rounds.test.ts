import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RoundList } from '../../src/contract/answer-types.ts';
import { type LocalTyping, openLocalTyping } from '../../src/server/local-typing.ts';
import { createSessionApi } from '../../src/tui/link/session.ts';
import {
  flush,
  leftRound,
  openRoundFile,
  type RoundHead,
  readKeptRounds,
  readLeftRounds,
  removeEmptyRounds,
} from '../../src/tui/link/sync.ts';
import { usualPractised } from '../../src/tui/round/practised.ts';
import { isDone, newRoundView } from '../../src/tui/round/round-view.ts';
import { defaultRules } from '../../src/typing/rules/rules.ts';
import { typeText } from '../tui/round/round-picture.ts';
import { factor, seed } from './amount.ts';
import { damageText } from './file-damage.ts';
import { createRandom } from './random.ts';

let dir: string;
let local: LocalTyping;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'typebadge-kept-'));
  local = openLocalTyping({ dataDir: join(dir, 'data'), key: undefined, onDamage: () => undefined });
});
afterAll(async () => {
  await local.close();
  rmSync(dir, { recursive: true, force: true });
});

const goneProcess = { pid: 2 ** 30, processStart: '' };

/** The file of a round of which so much was typed. */
function keep(folder: string, number: number, typed: string): { head: RoundHead; name: string } {
  const head: RoundHead = {
    ...goneProcess,
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    server: '',
    punctuation: false,
    words: ['the', 'quick', 'fox'],
    rules: defaultRules,
    practised: usualPractised,
    created: 1 + number,
  };
  const file = openRoundFile(folder, head);
  file.write(typeText(newRoundView(head), typed, 1_000));
  file.close();
  return { head, name: `${head.id}.jsonl` };
}

async function idsHere(): Promise<string[]> {
  const ids: string[] = [];
  let after = '';
  for (;;) {
    const { body } = await local.call({ method: 'GET', path: `/api/rounds?limit=100${after}` });
    const { rounds, next } = body as RoundList;
    ids.push(...rounds.map(({ id }) => id));
    if (next === undefined) return ids;
    after = `&after=${next}`;
  }
}

test('a damaged, cut or foreign file is delivered, resumed or ignored, hurts no other, and no round is there twice', async () => {
  const folder = join(dir, 'unsent');
  const api = createSessionApi(local.call);
  const whole: string[] = [];
  for (let number = 0; number < 15 * factor; number += 1) {
    const random = createRandom(seed, number);
    const where = `FUZZ_SEED=${seed}, number ${number}`;
    const intact = keep(folder, 2 * number, 'the quick fox ');
    const hurt = keep(folder, 2 * number + 1, random.once(2) ? 'the quick fox ' : 'the qui');
    whole.push(intact.head.id);
    const text = readFileSync(join(folder, hurt.name), 'utf8');
    const damaged = random.once(4) ? text.slice(0, random.below(text.length)) : damageText(text, random);
    writeFileSync(join(folder, hurt.name), damaged);
    if (random.once(4)) writeFileSync(join(folder, 'notes.jsonl'), damageText('{"a":[1,2]}\n', random));

    removeEmptyRounds(folder);
    for (const left of readLeftRounds(folder)) {
      const round = leftRound(left);
      expect(isDone(round) || round.inputCount > 0, where).toBe(true);
    }
    const results = await Promise.all([1, 2].map(() => flush({ folder, local: api, server: undefined })));
    for (const { away } of results) expect(away, where).toBe('');
    expect(
      readKeptRounds(folder).map(({ head }) => head.id),
      where,
    ).not.toContain(intact.head.id);
    // What cannot be used stays for people to look at; the next case begins with an empty folder.
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }
  const ids = await idsHere();
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(whole));
}, 120_000);
