import type { Stores } from './ports.ts';
import type { Session } from './session.ts';

/** Saves a session's unsaved rounds. Rejects with `RoundsNotKeptError` if that fails; they then stay in the session. */
export async function keepUnsaved(
  { sessions, rounds }: Pick<Stores, 'sessions' | 'rounds'>,
  { id, player, unsaved }: Session,
): Promise<void> {
  if (unsaved.length === 0) return;
  const mark = await rounds.mark?.(player);
  // The session was read before the mark, so its player may have been forgotten in between.
  if (mark !== undefined && (await sessions.read(id)) === undefined) return;
  await rounds.keep(player, unsaved, mark);
  const kept = new Set(unsaved.map((round) => round.id));
  await sessions.update(id, (current) => ({
    session: { ...current, unsaved: current.unsaved.filter((round) => !kept.has(round.id)) },
    result: undefined,
  }));
}
