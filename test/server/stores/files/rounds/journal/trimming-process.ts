// A server that trims a journal again and again, and keeps rounds of its own in it. Arguments: path, number of the first round, rounds.
import { appendFile } from 'node:fs/promises';
import { createRoundJournal } from '../../../../../../src/server/stores/files/rounds/journal/round-journal.ts';
import { toJournalLine } from '../../../../../../src/server/stores/journal-line.ts';
import { toUnsavedRound } from '../../../../../../src/server/stores/unsaved-rounds.ts';
import { newJournalRound, toRoundId } from '../../../journal-rounds.ts';

const [, , path = '', first = '0', count = '0'] = process.argv;
const nothing = () => undefined;
const journal = createRoundJournal({ path, onDamage: nothing, onRounds: nothing, onVoid: nothing });
const completedAt = new Date().toISOString();
const since = Date.now() - 24 * 60 * 60 * 1000;
const old = toJournalLine({ ...newJournalRound(toRoundId(0)), completedAt: '2020-01-01T00:00:00.000Z' });

for (let at = 0; at < Number(count); at += 1) {
  await appendFile(path, `\n${old}\n`.repeat(200));
  const round = { ...newJournalRound(toRoundId(Number(first) + at)), completedAt };
  const trimmed = journal.trim({ rounds: 1_000_000, bytes: 2 ** 40, since });
  const kept = createRoundJournal({ path, onDamage: nothing, onRounds: nothing, onVoid: nothing });
  await Promise.all([trimmed, kept.append([toUnsavedRound(round)])]);
}
