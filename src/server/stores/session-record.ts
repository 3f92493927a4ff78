import * as v from 'valibot';
import type { Practice } from '../../typing/modes/practice.ts';
import { newRound, type Round, replayInputs } from '../../typing/round.ts';
import { playerPattern } from './player.ts';
import { type RecordChange, StoreUnavailableError } from './records/records.ts';
import type { Session, SessionHeader } from './session.ts';
import * as stored from './stored-fields.ts';

/*
 * The record of a session has these fields: `session` (what never changes), `round` (what changes when a
 * round starts or is timed), `used` (its last use), and the inputs of the round. These only grow, so they are
 * a text in chunks, `inputs0`, `inputs1`, …: then neither adding to them nor reading what was added costs
 * more when there are many.
 */

export const sessionRecord = (id: string) => `session/${id}`;
export const sessionPattern = /^[0-9a-f]{32}$/;

/** Version of the stored format. */
const formatVersion = 1;
const address = v.pipe(v.string(), v.regex(/^address-[0-9a-f]{64}$/));

const headerFields: stored.FieldTable<SessionHeader> = {
  id: stored.plain(v.pipe(v.string(), v.regex(sessionPattern))),
  player: stored.plain(v.pipe(v.string(), v.regex(playerPattern))),
  client: stored.plain(v.union([v.literal(''), address])),
  block: stored.optional(stored.plain(address)),
  createdAt: stored.plain(v.pipe(stored.count, v.maxValue(8_640_000_000_000_000))),
  practice: stored.plain(stored.practiceShape),
  clientName: stored.optional(stored.clientName),
};

/** The fields of a round that its inputs do not determine. */
type RoundHeader = Pick<Round, 'id' | 'words' | 'lineEnds' | 'indents' | 'timing' | 'newBests'>;
/** Those that replaying the inputs determines. A new field of a round belongs here or in `RoundHeader`. */
type Replayed = 'progress' | 'score' | 'inputs' | 'inputCount' | 'maxInputs' | 'answers' | 'lastSeq';

/** Fails to compile if a field of a round is in neither. */
type Complete =
  Exclude<keyof Round, keyof RoundHeader | Replayed | 'practice'> extends never ? object : never;

const roundFields: Complete & stored.FieldTable<RoundHeader> = {
  id: stored.text,
  words: stored.words,
  lineEnds: stored.optional(stored.plain(v.array(stored.count))) as stored.Field<Round['lineEnds']>,
  indents: stored.optional(stored.plain(v.array(stored.count))) as stored.Field<Round['indents']>,
  timing: stored.optional(stored.timing),
  newBests: stored.optional(stored.newBests),
};

/** UTF-16 units after which a chunk is not added to any more. */
const chunkLength = 4096;
/** Chunks that are read together. */
const chunksPerRead = 8;

/** The end of the inputs: the last chunk, and the position in the whole text at which it begins. */
interface InputsEnd {
  readonly chunk: number;
  readonly start: number;
  /** UTF-16 units of the whole text. */
  readonly length: number;
}

const noInputs: InputsEnd = { chunk: 0, start: 0, length: 0 };
const chunkName = (chunk: number) => `inputs${chunk}`;

/** A session, and the texts in its record. */
export interface RecordedSession {
  readonly session: Session;
  /** The text of the field `session`; only a later version of this program writes another one. */
  readonly header: string;
  /** The text of the field `round`. */
  readonly round: string;
  readonly inputs: InputsEnd;
}

/** A change of the record, and the session that it then contains. */
export interface RecordStep extends RecordedSession {
  readonly change: RecordChange;
}

/** Creates the record of a new session. */
export function firstStep(session: Session, used: number): RecordStep {
  const header = JSON.stringify({ v: formatVersion, ...stored.writeFields(headerFields, session) });
  const empty = { ...session, roundCount: -1, round: null };
  const step = nextStep({ session: empty, header, round: '', inputs: noInputs }, '', session);
  const put = { ...step.change.put, session: header, used: String(used) };
  return { ...step, change: { ...step.change, put } };
}

/** Changes a recorded session, in a record of this version, to this one. */
export function nextStep(before: RecordedSession, version: string, session: Session): RecordStep {
  const { round, roundCount } = session;
  const { header } = before;
  const { round: roundBefore, roundCount: countBefore } = before.session;
  const isContinued = round?.id === roundBefore?.id;
  const end = isContinued ? before.inputs : noInputs;
  const added = round === null ? '' : round.inputs.slice(end.length);
  const inputs = added === '' ? end : endAfter(end, added.length);
  const name = chunkName(inputs.chunk);
  const chunk = added === '' ? undefined : { [name]: inOneLine(added) };
  const isSame = isContinued && roundCount === countBefore && haveSameHeader(round, roundBefore);
  if (isSame) {
    const change = chunk === undefined ? { if: version } : { if: version, append: chunk };
    return { session, header, round: before.round, inputs, change };
  }
  const text = roundText(session);
  if (isContinued) {
    const change = { if: version, put: { round: text }, ...(chunk && { append: chunk }) };
    return { session, header, round: text, inputs, change };
  }
  const chunksBefore = before.inputs.length === 0 ? 0 : before.inputs.chunk + 1;
  const remove = Array.from({ length: chunksBefore }, (_, at) => chunkName(at)).filter(
    (each) => chunk === undefined || each !== name,
  );
  const change = { if: version, put: { round: text, ...chunk }, remove };
  return { session, header, round: text, inputs, change };
}

/** The end after an addition, which goes to the last chunk or to a new one. */
function endAfter({ chunk, start, length }: InputsEnd, added: number): InputsEnd {
  const isFull = length - start >= chunkLength;
  return { chunk: isFull ? chunk + 1 : chunk, start: isFull ? length : start, length: length + added };
}

function haveSameHeader(one: Round | null, other: Round | null): boolean {
  if (one === other) return true;
  return one !== null && other !== null && stored.haveSameFields<RoundHeader>(roundFields, one, other);
}

function roundText({ roundCount, round }: Session): string {
  return JSON.stringify({
    roundCount,
    round: round && stored.writeFields<RoundHeader>(roundFields, round),
  });
}

/** The fields to read for what was added to a recorded session, or for all of it. */
export function fieldsAfter(known: RecordedSession | undefined): string[] {
  const { chunk } = known?.inputs ?? noInputs;
  return ['session', 'round', ...Array.from({ length: chunksPerRead }, (_, at) => chunkName(chunk + at))];
}

/**
 * The session in these fields, with the inputs of `known`. `isAll`: whether there is nothing more to read.
 * Undefined if the record does not continue `known`: a new round has started, or after a failover to a
 * lagging replica, the store has lost changes and then got others.
 *
 * Throws a `StoreUnavailableError` if a later version has written it: its client sees an outage until a
 * server that can read it answers. Throws another error if it is damaged.
 */
export function readSession(
  [header = '', round = '', ...values]: readonly (string | undefined)[],
  known: RecordedSession | undefined,
): { recorded: RecordedSession; isAll: boolean } | undefined {
  const chunks = values.filter((value) => value !== undefined);
  const text = chunks.join('');
  const isNext = known?.header === header && known.round === round && text.startsWith(lastChunk(known));
  if (known !== undefined && !isNext) return undefined;
  const end = known?.inputs ?? noInputs;
  const session = known?.session ?? parseSession(header, round);
  const length = end.start + text.length;
  const inputs =
    chunks.length === 0
      ? end
      : { chunk: end.chunk + chunks.length - 1, start: length - (chunks.at(-1) as string).length, length };
  const added = text.slice(end.length - end.start);
  const recorded = { session: withInputs(session, added), header, round, inputs };
  return { recorded, isAll: chunks.length < values.length };
}

function lastChunk({ session: { round }, inputs }: RecordedSession): string {
  return round === null ? '' : inOneLine(round.inputs.slice(inputs.start));
}

const roundTextShape = v.object({ roundCount: stored.count, round: v.nullable(v.unknown()) });

/** A session before the inputs of its round are replayed. */
function parseSession(header: string, text: string): Session {
  const raw = JSON.parse(header);
  if (raw.v > formatVersion) throw new StoreUnavailableError('The store holds a session of a later version.');
  const fields = stored.readFields(headerFields, raw);
  const { roundCount, round } = v.parse(roundTextShape, JSON.parse(text));
  return { ...fields, roundCount, round: round === null ? null : newlyStarted(round, fields.practice) };
}

function newlyStarted(raw: unknown, practice: Practice): Round {
  const header = stored.readFields<RoundHeader>(roundFields, raw);
  return { ...newRound(header.id, header.words, practice), ...header };
}

/** A session with further inputs. Throws if they cannot be read. */
function withInputs(session: Session, added: string): Session {
  if (added === '' || session.round === null) return session;
  const round = replayInputs(session.round, added.replaceAll('\r', '\n'));
  if (round === undefined) throw new Error(`The inputs of session ${session.id} cannot be read.`);
  return { ...session, round };
}

/** In one line, so that a key takes few bytes in a file of the store. No key is a carriage return. */
function inOneLine(inputs: string): string {
  return inputs.replaceAll('\n', '\r');
}
