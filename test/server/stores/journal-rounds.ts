import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DamageListener } from '../../../src/server/stores/files/rounds/journal/journal-damage.ts';
import { createRoundJournal } from '../../../src/server/stores/files/rounds/journal/round-journal.ts';
import type { JournalRound } from '../../../src/server/stores/journal-round.ts';
import { transcribe } from '../../typing/naive-statistics.ts';
import { typeRandomly } from '../../typing/random-typist.ts';

/** A finished round as the journal keeps it, typed by a typist whom the tape drives. */
export function newJournalRound(
  id: string,
  words: readonly string[] = ['one', 'two'],
  tape: readonly number[] = [],
): JournalRound {
  const events = typeRandomly(words, tape);
  const complete = transcribe({ words, events, punctuation: false }).results.at(-1);
  if (!complete || !('round_complete' in complete)) throw new Error('the typist did not finish');
  return {
    id,
    session: 'a session',
    player: 'local',
    punctuation: false,
    completedAt: '2026-01-05T09:00:00.000Z',
    words,
    keys: events.map(({ type, char }) =>
      type === 'keystroke' ? (char as string) : type === 'space' ? ' ' : '\b',
    ),
    seekTimes: events.map(({ seek_time_ms = 0 }) => seek_time_ms),
    timing: { start: 1_700_000_000_000, end: 1_700_000_060_000, duration: 60_000 },
  };
}

export function toRoundId(number: number): string {
  return number.toString(16).padStart(32, '0');
}

/** All rounds of a journal, each once, in its order: from a copy, where no snapshot stands for some of them. */
export async function readJournalRounds(
  path: string,
  onDamage: DamageListener = () => undefined,
): Promise<JournalRound[]> {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-journal-copy-'));
  try {
    const copy = join(dir, 'rounds.jsonl');
    await copyFile(path, copy);
    const rounds: JournalRound[] = [];
    const onRounds = (some: readonly JournalRound[]) => rounds.push(...some);
    const journal = createRoundJournal({ path: copy, onDamage, onRounds, onVoid: () => undefined });
    await journal.readNew();
    await journal.settle();
    return rounds;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
