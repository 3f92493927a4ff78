import type { Round } from '../../../typing/round.ts';
import { toWordText } from '../../../typing/rules/word.ts';
import { tapeText } from '../../../typing/texts/tape.ts';
import type { StoredSession } from '../ports.ts';
import type { Session } from '../session.ts';
import { type SessionEvent, sessionLogVersion as v } from './session-event.ts';

/** The state of a session in the log. */
export interface LoggedState {
  readonly roundCount: number;
  readonly roundId: string | undefined;
  readonly isTimed: boolean;
  /** Length of the text of the inputs. */
  readonly inputs: number;
  readonly unsaved: Session['unsaved'];
}

/** The events that lead from the logged state to the current session. `before`: undefined if nothing has been logged. */
export function toSessionEvents(
  before: LoggedState | undefined,
  { session, lastUsed: used }: StoredSession,
): { readonly events: readonly SessionEvent[]; readonly state: LoggedState } {
  const { id, round, roundCount, unsaved } = session;
  const isTimed = round?.timing !== undefined;
  const state = { roundCount, roundId: round?.id, isTimed, inputs: round?.inputs.length ?? 0, unsaved };
  const isSameRound =
    before?.roundCount === roundCount && before.roundId === round?.id && before.isTimed <= isTimed;
  const events = isSameRound ? progressEvents(before, round, { id, used }) : [wholeSession(session, used)];
  return { events: [...events, ...unsavedEvents(before?.unsaved ?? [], session)], state };
}

function wholeSession({ unsaved: _, round, ...header }: Session, used: number): SessionEvent {
  return { v, used, session: { ...header, round: round && toLoggedRound(round) } };
}

/** A round as text and numbers, without what its inputs determine. */
export function toLoggedRound({ id, words, lineEnds, inputs, timing, newBests }: Round) {
  return {
    id,
    words: words.map(toWordText),
    ...(lineEnds && { lineEnds: [...lineEnds] }),
    inputs: tapeText(inputs),
    ...(timing && { timing }),
    ...(newBests && { newBests }),
  };
}

function progressEvents(
  before: LoggedState,
  round: Round | null,
  at: { readonly id: string; readonly used: number },
): SessionEvent[] {
  const from = before.inputs;
  const inputs: SessionEvent = { v, ...at, from, inputs: round === null ? '' : tapeText(round.inputs, from) };
  if (round?.timing === undefined || before.isTimed) return [inputs];
  const { timing, newBests } = round;
  return [inputs, { v, ...at, timing, ...(newBests && { newBests }) }];
}

function unsavedEvents(before: Session['unsaved'], { id, unsaved }: Session): SessionEvent[] {
  if (before === unsaved) return [];
  const known = new Set(before.map((round) => round.id));
  const present = new Set(unsaved.map((round) => round.id));
  const kept = [...known].filter((each) => !present.has(each));
  const added = unsaved.filter((round) => !known.has(round.id));
  return [
    ...added.map((round): SessionEvent => ({ v, id, unsaved: round })),
    ...(kept.length > 0 ? [{ v, id, kept } satisfies SessionEvent] : []),
  ];
}
