import { createHash, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type Labels, labelEntries, labelsFrom } from '../../typing/labels.ts';
import { defaultPractice, type Practice } from '../../typing/modes/practice.ts';
import type { Round } from '../../typing/round.ts';
import { type Caller, localCaller, playerPattern } from './player.ts';
import * as stored from './stored-fields.ts';

export const labelFields = labelEntries(({ maxLength }) =>
  v.optional(v.pipe(v.string(), v.maxLength(maxLength))),
);

/** What all rounds of a session have in common. */
export interface Setup extends Labels {
  readonly practice: Practice;
}

export const defaultSetup: Setup = { practice: defaultPractice, ...labelsFrom({}) };

export const sessionPattern = /^[0-9a-f]{32}$/;
const addressHash = v.pipe(v.string(), v.regex(/^address-[0-9a-f]{64}$/));

/** What does not change while a session is open. */
export const headerFields = {
  id: v.pipe(v.string(), v.regex(sessionPattern)),
  player: v.pipe(v.string(), v.regex(playerPattern)),
  /** From which it was opened, see `Caller`. */
  address: v.union([v.literal(''), addressHash]),
  block: v.optional(addressHash),
  /** Milliseconds since 1970. */
  createdAt: v.pipe(stored.count, v.maxValue(8_640_000_000_000_000)),
  practice: stored.practiceShape,
  ...labelFields,
};

export type SessionHeader = stored.FieldValues<typeof headerFields>;

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
  { player, address, block }: Caller = localCaller,
): Session {
  return { ...setup, id, player, address, block, createdAt, roundCount: 0, round: null };
}

/** A UUID whose first digits identify the session without revealing its id: see `mayBeOf`. */
export function newRoundId(session: string): string {
  return sessionMark(session) + randomUUID().slice(8);
}

/** Whether a round may have been started in this session; wrong for one of four billion others. */
export function mayBeOf(session: string, round: string): boolean {
  return round.startsWith(sessionMark(session));
}

function sessionMark(session: string): string {
  return createHash('sha256').update(session).digest('hex').slice(0, 8);
}
