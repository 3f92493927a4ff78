import { allAtOnce, type Steps } from '../../../kit/slices.ts';
import type { Practice } from '../../../typing/modes/practice.ts';
import { newRound, type Round, replaySteps } from '../../../typing/round.ts';
import { toWords } from '../../../typing/rules/word.ts';
import { tapeText } from '../../../typing/texts/tape.ts';
import { StoreUnavailableError } from '../ports.ts';
import type { Session } from '../session.ts';
import type { UnsavedRound } from '../unsaved-rounds.ts';
import { toLoggedRound } from './session-diff.ts';
import { parseEvent, type SessionEvent } from './session-event.ts';

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
export function parseSessionText(text: SessionText, lastUsed: number): Session {
  return allAtOnce(sessionSteps(text, lastUsed));
}

/** The same in steps, because a session may have a hundred thousand inputs. */
export function* sessionSteps({ header, inputs }: SessionText, lastUsed: number): Steps<Session> {
  const { v, session, unsaved } = JSON.parse(header) as {
    readonly v: number;
    readonly session: { readonly id: string; readonly round: object | null };
    readonly unsaved: readonly UnsavedRound[];
  };
  if (v > formatVersion)
    throw new LaterVersionError(`The store holds a session of a later version (format ${v}).`);
  if (v !== formatVersion)
    throw new Error(`The store holds a session of format ${v}; this version reads ${formatVersion}.`);
  const round = session.round && { ...session.round, inputs: '' };
  const opened = parseEvent({ v, used: lastUsed, session: { ...session, round } });
  if (opened === undefined || !('session' in opened)) throw damaged();
  return {
    ...opened.session,
    round: opened.session.round && (yield* roundSteps(opened.session.round, opened.session.practice, inputs)),
    unsaved: unsaved.map((each) => toUnsaved({ v, id: session.id, unsaved: each })),
  };
}

type Header = Extract<SessionEvent, { session: unknown }>['session'];

/** The round up to the first input that the rules cannot have accepted. */
function* roundSteps(
  { id, words, lineEnds, timing, newBests }: NonNullable<Header['round']>,
  practice: Practice,
  inputs: string,
): Steps<Round> {
  const fresh = newRound(id, toWords(words), practice, lineEnds);
  const replayed = yield* replaySteps(fresh, inputs);
  if (replayed === undefined) throw damaged();
  const { round, isWhole } = replayed;
  return isWhole ? { ...round, ...(timing && { timing }), ...(newBests && { newBests }) } : round;
}

function toUnsaved(raw: unknown): UnsavedRound {
  const event = parseEvent(raw);
  if (event === undefined || !('unsaved' in event)) throw damaged();
  return event.unsaved;
}

const damaged = () => new Error('The store holds a session that cannot be read.');
