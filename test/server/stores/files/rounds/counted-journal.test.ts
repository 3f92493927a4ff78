import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type CountedJournal,
  createCountedJournal,
} from '../../../../../src/server/stores/files/rounds/counted-journal.ts';
import { toJournalLine } from '../../../../../src/server/stores/journal-line.ts';
import type { JournalRound } from '../../../../../src/server/stores/journal-round.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-counted-'));
  path = join(dir, 'rounds.jsonl');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const open = (unsaved: readonly JournalRound[] = []): CountedJournal =>
  createCountedJournal({
    path,
    unsaved: () => unsaved.map((round) => ({ id: round.id, line: toJournalLine(round) })),
    onDamage: () => undefined,
    onProblem: (problem) => {
      throw problem;
    },
  });
const write = (round: JournalRound) => appendFile(path, `${toJournalLine(round)}\n`);
/** As long as an upload may be: about 11,000 keys. */
const long = newJournalRound(toRoundId(1), Array<string>(1_900).fill('quiet'));

test('whatever is written and read while a long round is being counted, each round counts once', async () => {
  for (let pause = 0; pause < 24; pause += 1) {
    await rm(path, { force: true });
    const counted = open();
    await counted.readNew();
    counted.note([long, newJournalRound(toRoundId(2))]);
    for (let turn = 0; turn < pause; turn += 1) await nextTurn();
    // Another server writes and reads at any moment: the same round, another one, and one that is noted a second time.
    await write(newJournalRound(toRoundId(3)));
    await write(newJournalRound(toRoundId(2)));
    if (pause % 2 === 0) await write(long);
    const reading = counted.readNew();
    counted.note([long]);
    await reading;
    await counted.readNew();
    expect(counted.history().rounds, `after ${pause} turns`).toBe(3);
    if (pause % 2 === 1) await write(long);
    await counted.readNew();
    expect(counted.history().rounds, `after ${pause} turns`).toBe(3);
  }
}, 120_000);
