import type { JournalRound } from '../../../src/server/sessions/journal-line.ts';
import { transcribe } from '../typing/naive-statistics.ts';
import { typeRandomly } from '../typing/random-typist.ts';

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
