import * as v from 'valibot';
import type { Session } from './session.ts';
import { newInput, reduceRoundBatch } from './typing/round.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const timingSchema = v.object({ start: count, end: count, duration: count });

const roundSchema = v.object({
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
  inputs: v.array(v.object({ key: v.string(), ms: count, seq: count })),
  lastSeq: count,
  timing: v.exactOptional(timingSchema),
  newBests: v.exactOptional(v.object({ wpm: v.boolean(), accuracy: v.boolean(), time: v.boolean() })),
});

const finishedSchema = v.object({
  id: v.string(),
  session: v.string(),
  punctuation: v.boolean(),
  completedAt: v.string(),
  words: v.array(v.string()),
  keys: v.array(v.string()),
  seekTimes: v.array(count),
  timing: timingSchema,
});

const sessionSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  createdAt: count,
  lastUsed: count,
  punctuation: v.boolean(),
  roundCount: count,
  round: v.nullable(roundSchema),
  unsaved: v.array(finishedSchema),
});

/** A session as a whole; its new inputs as key, seek time and number; or that it is gone. */
const lineSchema = v.union([
  v.object({ v: v.literal(1), session: sessionSchema }),
  v.object({
    v: v.literal(1),
    id: v.string(),
    used: count,
    from: count,
    inputs: v.array(v.tuple([v.string(), count, count])),
  }),
  v.object({ v: v.literal(1), gone: v.string() }),
]);
type Line = v.InferOutput<typeof lineSchema>;

export function toSessionLine(session: Session): string {
  return toLine({ v: 1, session: session as Extract<Line, { session: unknown }>['session'] });
}

/** The inputs of the session's round from the given one on. */
export function toInputsLine({ id, lastUsed, round }: Session, from: number): string {
  const inputs = (round?.inputs ?? [])
    .slice(from)
    .map(({ key, ms, seq }): [string, number, number] => [key, ms, seq]);
  return toLine({ v: 1, id, used: lastUsed, from, inputs });
}

export function toGoneLine(id: string): string {
  return toLine({ v: 1, gone: id });
}

function toLine(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

/** Applies a line to the sessions told so far. Returns false, and changes nothing, where it is damaged. */
export function applyLine(sessions: Map<string, Session>, text: string): boolean {
  const line = parseLine(text);
  if (line === undefined) return false;
  if ('session' in line) sessions.set(line.session.id, line.session);
  else if ('gone' in line) sessions.delete(line.gone);
  else return applyInputs(sessions, line);
  return true;
}

function applyInputs(sessions: Map<string, Session>, line: Extract<Line, { inputs: unknown }>): boolean {
  const session = sessions.get(line.id);
  if (session === undefined) return false;
  const { round } = session;
  if ((round?.inputs.length ?? 0) !== line.from) return false;
  if (round === null) {
    sessions.set(line.id, { ...session, lastUsed: line.used });
    return line.inputs.length === 0;
  }
  const reduction = reduceRoundBatch(
    round,
    line.inputs.map(([key, ms, seq]) => newInput(key, ms, seq)),
  );
  if ('problem' in reduction) return false;
  sessions.set(line.id, { ...session, lastUsed: line.used, round: reduction.round });
  return true;
}

function parseLine(text: string): Line | undefined {
  try {
    const { success, output } = v.safeParse(lineSchema, JSON.parse(text));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
}
