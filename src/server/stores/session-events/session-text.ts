import { tapeText } from '../../../typing/tape.ts';
import { StoreUnavailableError } from '../ports.ts';
import type { Session } from '../session.ts';
import type { UnsavedRound } from '../unsaved-rounds.ts';
import { toLoggedRound } from './session-diff.ts';
import { applyEvent, type SessionDrafts, toStoredSession } from './session-draft.ts';
import { parseEvent } from './session-event.ts';

/** A session as two texts: what is replaced now and then, and the inputs of its round, which grow with every key. */
export interface SessionText {
  readonly header: string;
  readonly inputs: string;
}

const formatVersion = 2;

export function toSessionText(session: Session): SessionText {
  return { header: toHeaderText(session), inputs: inputsOf(session) };
}

/** Everything but the inputs and what follows from them, as JSON with the version of its shape. */
export function toHeaderText({ round, unsaved, ...fields }: Session): string {
  const told = round && { ...toLoggedRound(round), inputs: undefined };
  return JSON.stringify({ v: formatVersion, session: { ...fields, round: told }, unsaved });
}

/** The inputs from a position on, in UTF-16 units. */
export function inputsOf({ round }: Session, from = 0): string {
  return round === null ? '' : tapeText(round.inputs, from);
}

/**
 * A session that a later version of typebadge has written: of the servers that share a store, some may have been upgraded
 * already. For a client it is as if the store were away: it tries again, and comes to a server that can read it.
 */
class LaterVersionError extends StoreUnavailableError {}

/**
 * Throws a `LaterVersionError` where the header was written by a later version, and an error where it is damaged: nothing of
 * it may be guessed.
 */
export function parseSessionText({ header, inputs }: SessionText, lastUsed: number): Session {
  const { v, session, unsaved } = JSON.parse(header) as {
    readonly v: number;
    readonly session: { readonly id: string; readonly round: object | null };
    readonly unsaved: readonly UnsavedRound[];
  };
  if (v > formatVersion)
    throw new LaterVersionError(`The store holds a session of a later version (format ${v}).`);
  if (v !== formatVersion)
    throw new Error(`The store holds a session of format ${v}; this version reads ${formatVersion}.`);
  const round = session.round && { ...session.round, inputs };
  const drafts: SessionDrafts = new Map();
  const events = [
    { v, used: lastUsed, session: { ...session, round } },
    ...unsaved.map((each) => ({ v, id: session.id, unsaved: each })),
  ];
  for (const each of events) {
    const event = parseEvent(each);
    if (event === undefined || !applyEvent(drafts, event, { keepsText: true })) {
      throw new Error('The store holds a session that cannot be read.');
    }
  }
  const draft = drafts.get(session.id);
  if (draft === undefined) throw new Error('The store holds a session that cannot be read.');
  return toStoredSession(draft).stored.session;
}
