import * as v from 'valibot';
import { inSlices } from '../../kit/slices.ts';
import { newRound, type Round, replaySteps } from '../../typing/round.ts';
import { type RecordChange, StoreUnavailableError } from './records/records.ts';
import { headerFields, type Session, type SessionHeader } from './session.ts';
import * as stored from './stored-fields.ts';

/*
 * The record of a session has three fields: `session`, which changes when a round starts or is timed,
 * `inputs` of the round, which only grow, and `used`, its last use.
 */

export const sessionRecord = (id: string) => `session/${id}`;
/** The fields that `readSession` takes. */
export const sessionTexts = ['session', 'inputs'] as const;

/** Version of the stored format. */
const formatVersion = 1;

/** Fields of a round that replaying its inputs determines; any other field must be stored. */
type Replayed =
  | 'practice'
  | 'progress'
  | 'score'
  | 'inputs'
  | 'inputCount'
  | 'maxInputs'
  | 'answers'
  | 'lastSeq';
type RoundHeader = Omit<Round, Replayed>;

const roundFields: stored.FieldTable<RoundHeader> = {
  id: v.string(),
  words: stored.words,
  lineEnds: v.optional(v.array(stored.count)),
  indents: v.optional(v.array(stored.count)),
  timing: v.optional(stored.timing),
  newBests: v.optional(stored.newBests),
};

type StoredSession = SessionHeader & Pick<Session, 'roundCount'> & { readonly round: RoundHeader | null };

const sessionFields: stored.FieldTable<StoredSession> = {
  ...headerFields,
  roundCount: stored.count,
  round: v.nullable(v.object(roundFields)),
};

/** A session, and the text of its record, which stays the same while only inputs are added. */
export interface RecordedSession {
  readonly session: Session;
  readonly text: string;
}

/** The text of a session, and the change that updates its record from `before`. */
export function sessionChange(
  before: RecordedSession | undefined,
  session: Session,
  version: string,
): { readonly text: string; readonly change: RecordChange } {
  const { round, roundCount } = session;
  const roundBefore = before?.session.round;
  const isContinued = before !== undefined && round?.id === roundBefore?.id;
  const inputs = inOneLine(round?.inputs.slice(isContinued ? roundBefore?.inputs.length : 0) ?? '');
  const isSameHeader = () => !round || stored.haveSameFields(roundFields, round, roundBefore as Round);
  if (isContinued && roundCount === before.session.roundCount && isSameHeader()) {
    const { text } = before;
    return { text, change: { if: version, append: { inputs } } };
  }
  const header = round && {
    ...stored.pickFields(roundFields, round),
    words: stored.spacedWords(round.words),
  };
  const fields = { ...stored.pickFields<StoredSession>(sessionFields, session), round: header };
  const text = JSON.stringify({ v: formatVersion, ...fields });
  const change = isContinued
    ? { put: { session: text }, append: { inputs } }
    : { put: { session: text, inputs } };
  return { text, change: { if: version, ...change } };
}

/**
 * The session with these texts. If it continues `known`, only what was added is replayed.
 *
 * Rejects with a `StoreUnavailableError` if a later version has written it: its client sees an outage until a
 * server that can read it answers. Rejects with another error if it is damaged.
 */
export async function readSession(
  texts: readonly (string | undefined)[],
  known: RecordedSession | undefined,
): Promise<RecordedSession> {
  const [text, inputs] = texts as readonly [string, string];
  const replayed = known?.session.round?.inputs ?? '';
  // After a failover to a lagging replica, the store may have lost inputs and then got others.
  const isNext = known?.text === text && inputs.startsWith(inOneLine(replayed));
  const session = isNext ? known.session : parseSession(text);
  const added = isNext ? inputs.slice(replayed.length) : inputs;
  if (added === '') return { session, text };
  const round = await inSlices(replaySteps(session.round as Round, added.replaceAll('\r', '\n')));
  if (round === undefined)
    throw new Error(`The inputs of session ${session.id.slice(0, 8)}… cannot be read.`);
  return { session: { ...session, round }, text };
}

/** A session before the inputs of its round are replayed. */
function parseSession(text: string): Session {
  const raw = JSON.parse(text);
  if (raw.v > formatVersion) throw new StoreUnavailableError('The store holds a session of a later version.');
  const session = stored.readFields(sessionFields, raw);
  const { round, practice } = session;
  return { ...session, round: round && { ...newRound(round.id, round.words, practice), ...round } };
}

/** In one line, so that a key takes few bytes in a file of the store. No key is a carriage return. */
function inOneLine(inputs: string): string {
  return inputs.replaceAll('\n', '\r');
}
