import * as v from 'valibot';
import { defaultPractice, type Practice } from '../../typing/modes/practice.ts';
import { newRound, type Round } from '../../typing/round.ts';
import {
  clientNameField,
  count,
  type Field,
  type FieldTable,
  newBestsField,
  optional,
  plain,
  readFields,
  text,
  timingField,
  wordsField,
  writeFields,
} from './field-table.ts';
import { type Caller, localCaller, type PlayerId, playerPattern } from './player.ts';
import { practiceShape } from './practice-shape.ts';
import { StoreUnavailableError } from './records/records.ts';

/** What all rounds of a session have in common. */
export interface Setup {
  readonly practice: Practice;
  /** What they are typed with, if the client says so. */
  readonly clientName: string | undefined;
}

export const defaultSetup: Setup = { practice: defaultPractice, clientName: undefined };

/** What does not change while a session is open. */
export interface SessionHeader extends Setup {
  readonly id: string;
  readonly player: PlayerId;
  /** The client that opened it, see `Caller`. */
  readonly client: string;
  readonly block: string | undefined;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** One typist's session. Plain JSON. */
export interface Session extends SessionHeader {
  /** Rounds started so far: with a fixed seed, it determines the words of the next one. */
  readonly roundCount: number;
  /** The latest round, running or complete; null before the first. */
  readonly round: Round | null;
}

export function newSession(
  id: string,
  setup: Setup,
  createdAt: number,
  { player, client, block }: Caller = localCaller,
): Session {
  return { ...setup, id, player, client, block, createdAt, roundCount: 0, round: null };
}

/** Of sessions as they are kept. */
const formatVersion = 1;

export const sessionPattern = /^[0-9a-f]{32}$/;
const address = v.pipe(v.string(), v.regex(/^address-[0-9a-f]{64}$/));

export const headerFields: FieldTable<SessionHeader> = {
  id: plain(v.pipe(v.string(), v.regex(sessionPattern))),
  player: plain(v.pipe(v.string(), v.regex(playerPattern))),
  client: plain(v.union([v.literal(''), address])),
  block: optional(plain(address)),
  createdAt: plain(v.pipe(count, v.maxValue(8_640_000_000_000_000))),
  practice: plain(practiceShape),
  clientName: optional(clientNameField),
};

/** Of a round, what its inputs do not determine. */
export type RoundHeader = Pick<Round, 'id' | 'words' | 'lineEnds' | 'indents' | 'timing' | 'newBests'>;
/** What replaying the inputs determines. A new field of a round belongs here or into `RoundHeader`. */
type Replayed = 'progress' | 'score' | 'inputs' | 'inputCount' | 'maxInputs' | 'answers' | 'lastSeq';

/** Fails to compile if a field of a round is in neither. */
type Complete =
  Exclude<keyof Round, keyof RoundHeader | Replayed | 'practice'> extends never ? object : never;

export const roundFields: Complete & FieldTable<RoundHeader> = {
  id: text,
  words: wordsField,
  lineEnds: optional(plain(v.array(count))) as Field<Round['lineEnds']>,
  indents: optional(plain(v.array(count))) as Field<Round['indents']>,
  timing: optional(timingField),
  newBests: optional(newBestsField),
};

/** The part of a session that changes when a round starts or is timed. */
export function roundText({ roundCount, round }: Session): string {
  return JSON.stringify({ roundCount, round: round && writeFields<RoundHeader>(roundFields, round) });
}

export function headerText(session: Session): string {
  return JSON.stringify({ v: formatVersion, ...writeFields<SessionHeader>(headerFields, session) });
}

const roundTextShape = v.object({ roundCount: count, round: v.nullable(v.unknown()) });

/**
 * A session before the inputs of its round are replayed. Throws a `StoreUnavailableError` if a later version has written it: to its
 * client it is as if the store were away, until a server that can read it answers. Throws another error if it is damaged.
 */
export function parseSession(header: string, roundText: string): Session {
  const raw = JSON.parse(header);
  if (raw.v > formatVersion) throw new StoreUnavailableError('The store holds a session of a later version.');
  const fields = readFields(headerFields, raw);
  const { roundCount, round } = v.parse(roundTextShape, JSON.parse(roundText));
  return { ...fields, roundCount, round: round === null ? null : newlyStarted(round, fields.practice) };
}

function newlyStarted(raw: unknown, practice: Practice): Round {
  const { id, words, lineEnds, indents, ...ended } = readFields<RoundHeader>(roundFields, raw);
  return { ...newRound(id, words, practice, lineEnds, indents), ...ended };
}
