import type { Problem } from '../../../typing/rules/problem.ts';
import type { FinishedRound, Timing } from '../../../typing/statistics/finished-round.ts';
import type { History } from '../../../typing/statistics/history.ts';
import { timeRound } from '../../../typing/timing.ts';
import { parseJournalLine } from '../../stores/journal-line.ts';
import type { JournalRound } from '../../stores/journal-round.ts';
import type { Asking } from '../../stores/player.ts';
import type { SessionUpdate } from '../../stores/ports.ts';
import type { Session } from '../../stores/session.ts';
import { toUnsavedRound } from '../../stores/unsaved-rounds.ts';
import type { TypingGameOptions } from './game-options.ts';
import type { OwnSessions } from './own-sessions.ts';
import { notStarted } from './session-round.ts';

export type FinishRound = (
  asking: Asking,
  id: string,
  timing: Timing,
) => Promise<true | { readonly problem: Problem } | undefined>;

/** The round that a timing has finished, and its bytes on disk: none if the same timing had arrived before. */
type Finish =
  | { readonly finished: readonly JournalRound[]; readonly bytes: number }
  | { readonly problem: Problem };

/** Finishes the round of a session with its timing, and counts it in the player's history. */
export function createRoundFinish(options: TypingGameOptions, own: OwnSessions): FinishRound {
  const { stores, allowance, clock, onRound } = options;
  /** The latest rounds that were noted, oldest first: noting a long one again costs milliseconds. */
  const noted = new Set<string>();
  return async (asking, id, timing) => {
    const owner = (await own.read(asking, id))?.player;
    if (owner === undefined) return undefined;
    const history = await stores.rounds.history(owner);
    const completedAt = new Date(clock()).toISOString();
    const mark = await stores.rounds.mark?.(owner);
    const finish = await own.update(asking, id, (session) =>
      withTiming(session, { timing, history, completedAt, noted }),
    );
    if (finish === undefined || 'problem' in finish) return finish;
    if (finish.bytes > 0) {
      allowance.charge(asking, finish.bytes, history.rounds === 0);
      onRound?.();
    }
    if (finish.finished.length > 0) {
      await stores.rounds.note(owner, finish.finished, mark);
      for (const round of finish.finished) noted.add(round.id);
      for (const oldest of noted) {
        if (noted.size <= mostNoted) break;
        noted.delete(oldest);
      }
    }
    await stores.sessions.flush();
    return true;
  };
}

/** Ids of noted rounds that are remembered: about a megabyte. */
const mostNoted = 10_000;

interface Completion {
  readonly timing: Timing;
  /** All rounds finished before this one. */
  readonly history: History;
  /** ISO 8601 UTC. */
  readonly completedAt: string;
  /** Ids of rounds that need not be noted again. */
  readonly noted: ReadonlySet<string>;
}

function withTiming(
  session: Session,
  { timing, history, completedAt, noted }: Completion,
): SessionUpdate<Finish> {
  if (session.round === null) return { session, result: notStarted };
  const timed = timeRound(session.round, timing, history);
  if ('problem' in timed) return { session, result: timed };
  if (timed.finished === undefined)
    return { session, result: { finished: unsavedRoundOf(session, noted), bytes: 0 } };
  const finished = toJournalRound(timed.finished, session, completedAt);
  const unsaved = toUnsavedRound(finished);
  return {
    session: { ...session, round: timed.round, unsaved: [...session.unsaved, unsaved] },
    result: { finished: [finished], bytes: Buffer.byteLength(unsaved.line) },
  };
}

function toJournalRound(
  finished: FinishedRound,
  { id, player, practice: { punctuation } }: Session,
  completedAt: string,
): JournalRound {
  return { ...finished, session: id, player, punctuation, completedAt };
}

/** For a timing that is sent again because its answer was lost: its round may not have been noted. */
function unsavedRoundOf({ round, unsaved }: Session, noted: ReadonlySet<string>): readonly JournalRound[] {
  if (round === null || noted.has(round.id)) return [];
  return unsaved.flatMap(({ id, line }) => (id === round.id ? (parseJournalLine(line) ?? []) : []));
}
