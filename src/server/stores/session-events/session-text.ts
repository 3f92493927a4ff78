import { tapeText } from '../../../typing/texts/tape.ts';
import { StoreUnavailableError } from '../ports.ts';
import type { Session } from '../session.ts';
import type { UnsavedRound } from '../unsaved-rounds.ts';
import { toLoggedRound } from './session-diff.ts';
import { applyEvent, type SessionDrafts, toStoredSession } from './session-draft.ts';
import { parseEvent } from './session-event.ts';

/** A session as two texts: a header that is replaced now and then, and the inputs of its round, which grow with every key. */
export interface SessionText {
  readonly header: string;
  readonly inputs: string;
}

const formatVersion = 2;

export function toSessionText(session: Session): SessionText {
  return { header: toHeaderText(session), inputs: inputsOf(session) };
}

/** Everything except the inputs and what they determine, as JSON with the version of its format. */
export function toHeaderText({ round, unsaved, ...fields }: Session): string {
  const told = round && { ...toLoggedRound(round), inputs: undefined };
  return JSON.stringify({ v: formatVersion, session: { ...fields, round: told }, unsaved });
}

/** The text of the inputs from a position (in UTF-16 units) on. */
export function inputsOf({ round }: Session, from = 0): string {
  return round === null ? '' : tapeText(round.inputs, from);
}

/**
 * A session written by a later version of typebadge: some of the servers that share a store may already have been upgraded.
 * For a client it is as if the store were away: it retries, and gets to a server that can read it.
 */
class LaterVersionError extends StoreUnavailableError {}

/**
 * Throws a `LaterVersionError` if the header was written by a later version, and another error if it is damaged: nothing may
 * be guessed.
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
