import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { newRound, type Round, reduceRoundBatch } from '../typing/round.ts';
import { parseInputText } from '../typing/round-input.ts';
import { parseJournalLine, toJournalLine } from './journal-line.ts';
import type { StoredSession } from './session-store.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Milliseconds since 1970 that a date can be made of. */
const instant = v.pipe(count, v.maxValue(8_640_000_000_000_000));
const timingSchema = v.object({ start: count, end: count, duration: count });

/** Inputs as a round keeps them. */
const inputText = v.pipe(
  v.string(),
  v.check((text) => parseInputText(text) !== undefined),
);

const roundFields = v.object({
  id: v.string(),
  words: v.pipe(v.array(v.string()), v.minLength(1)),
  punctuation: v.boolean(),
  progress: v.object({
    wordIndex: count,
    input: v.array(v.string()),
    timerStarted: v.boolean(),
    totalKeys: count,
    correctKeys: count,
    elapsedMs: count,
  }),
  inputs: inputText,
  inputCount: count,
  lastSeq: count,
  timing: v.exactOptional(timingSchema),
  newBests: v.exactOptional(v.object({ wpm: v.boolean(), accuracy: v.boolean(), time: v.boolean() })),
});

/** The inputs determine the rest; where that says something else, no later input could be trusted. */
const roundSchema = v.pipe(roundFields, v.check(isConsistent));

const finishedFields = v.object({
  id: v.string(),
  session: v.string(),
  punctuation: v.boolean(),
  completedAt: v.string(),
  words: v.array(v.string()),
  keys: v.array(v.string()),
  seekTimes: v.array(count),
  timing: timingSchema,
});

/** What the journal will take: a round that it refused would be lost there. */
const finishedSchema = v.pipe(
  finishedFields,
  v.check((round) => parseJournalLine(toJournalLine(round)) !== undefined),
);

const sessionSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  createdAt: instant,
  punctuation: v.boolean(),
  roundCount: count,
  round: v.nullable(roundSchema),
  unsaved: v.array(finishedSchema),
});

/** A session as a whole; its new inputs, from that length of the text on; or that it is gone. */
const lineSchema = v.union([
  v.object({ v: v.literal(1), used: instant, session: sessionSchema }),
  v.object({
    v: v.literal(1),
    id: v.string(),
    used: instant,
    from: count,
    inputs: inputText,
  }),
  v.object({ v: v.literal(1), gone: v.string() }),
]);
type Line = v.InferOutput<typeof lineSchema>;

export function toSessionLine({ session, lastUsed }: StoredSession): string {
  return toLine({ v: 1, used: lastUsed, session: session as Extract<Line, { session: unknown }>['session'] });
}

/** The inputs of the session's round, from that length of their text on. */
export function toInputsLine({ session: { id, round }, lastUsed }: StoredSession, from: number): string {
  return toLine({ v: 1, id, used: lastUsed, from, inputs: (round?.inputs ?? '').slice(from) });
}

export function toGoneLine(id: string): string {
  return toLine({ v: 1, gone: id });
}

function toLine(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

/** Applies a line to the sessions told so far. Returns false, and changes nothing, where it is damaged. */
export function applyLine(sessions: Map<string, StoredSession>, text: string): boolean {
  const line = parseLine(text);
  if (line === undefined) return false;
  if ('session' in line) sessions.set(line.session.id, { session: line.session, lastUsed: line.used });
  else if ('gone' in line) sessions.delete(line.gone);
  else return applyInputs(sessions, line);
  return true;
}

function applyInputs(
  sessions: Map<string, StoredSession>,
  { id, used, from, inputs }: Extract<Line, { inputs: unknown }>,
): boolean {
  const session = sessions.get(id)?.session;
  if (session === undefined || (session.round?.inputs.length ?? 0) !== from) return false;
  if (session.round === null && inputs.length > 0) return false;
  const round = session.round && continueRound(session.round, inputs);
  if (round === undefined) return false;
  sessions.set(id, { session: { ...session, round }, lastUsed: used });
  return true;
}

function continueRound(round: Round, inputs: string): Round | undefined {
  const reduction = reduceRoundBatch(round, parseInputText(inputs) ?? []);
  return 'problem' in reduction ? undefined : reduction.round;
}

function isConsistent({
  id,
  words,
  punctuation,
  progress,
  inputs,
  inputCount,
  lastSeq,
}: v.InferOutput<typeof roundFields>): boolean {
  const replayed = continueRound(newRound(id, words, punctuation), inputs);
  return (
    replayed !== undefined &&
    replayed.inputCount === inputCount &&
    replayed.lastSeq === lastSeq &&
    isDeepStrictEqual(replayed.progress, progress)
  );
}

function parseLine(text: string): Line | undefined {
  try {
    const { success, output } = v.safeParse(lineSchema, JSON.parse(text));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
}
