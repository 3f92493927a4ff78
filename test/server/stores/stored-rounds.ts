import { createFileRecords, recordsFolder } from '../../../src/server/stores/records/file-records.ts';
import { createRounds, type Rounds } from '../../../src/server/stores/rounds.ts';
import { defaultSetup } from '../../../src/server/stores/session.ts';
import type { StoredRound } from '../../../src/server/stores/stored-round.ts';
import { transcribe } from '../../typing/naive-statistics.ts';
import { typeRandomly } from '../../typing/random-typist.ts';

const { practice: _, ...noLabels } = defaultSetup;

export { noLabels };

/** A finished round as it is kept, typed by a typist whom the tape drives. */
export function newStoredRound(
  id: string,
  words: readonly string[] = ['one', 'two'],
  tape: readonly number[] = [],
): StoredRound {
  const events = typeRandomly(words, tape);
  const complete = transcribe({ words, events, punctuation: false }).results.at(-1);
  if (!complete || !('round_complete' in complete)) throw new Error('the typist did not finish');
  return {
    id,
    punctuation: false,
    completedAt: '2026-01-05T09:00:00.000Z',
    words,
    keys: events.map(({ type, char }) =>
      type === 'keystroke' ? (char as string) : type === 'space' ? ' ' : '\b',
    ),
    seekTimes: events.map(({ seek_time_ms = 0 }) => seek_time_ms),
    timing: { start: 1_700_000_000_000, end: 1_700_000_060_000, duration: 60_000 },
    newBests: undefined,
    ...noLabels,
  };
}

export function toRoundId(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

/** Does something with the rounds of a data folder, as one more process. */
export async function withRounds<T>(dataDir: string, work: (rounds: Rounds) => Promise<T>): Promise<T> {
  const records = createFileRecords({ dir: recordsFolder(dataDir) });
  try {
    return await work(createRounds(records, { quota: 1e12, retention: undefined, clock: Date.now }));
  } finally {
    await records.close();
  }
}

/** All rounds of a player in a data folder, the oldest first. */
export function readRounds(dataDir: string, player = 'local'): Promise<StoredRound[]> {
  return withRounds(dataDir, async (rounds) => {
    const found: StoredRound[] = [];
    for (let after: string | undefined; ; ) {
      const page = await rounds.list(player, { limit: 1_000, after });
      found.push(...(page?.rounds ?? []));
      if (page?.next === undefined) return found.reverse();
      after = page.next;
    }
  });
}
