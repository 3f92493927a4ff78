import * as v from 'valibot';
import type { Session } from './session.ts';

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
  v: v.literal(1),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  createdAt: count,
  lastUsed: count,
  punctuation: v.boolean(),
  roundCount: count,
  round: v.nullable(roundSchema),
  unsaved: v.array(finishedSchema),
});

/** Reads the text of a session's file; undefined where it is damaged or of another version. */
export function parseStoredSession(text: string): Session | undefined {
  try {
    const { success, output } = v.safeParse(sessionSchema, JSON.parse(text));
    if (!success) return undefined;
    const { v: _, ...session } = output;
    return session;
  } catch {
    return undefined;
  }
}
