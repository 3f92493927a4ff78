import * as v from 'valibot';
import { localPlayer, playerPattern } from '../player.ts';
import { practiceShape } from '../practice-shape.ts';

/*
 * The lines of a session log. A line is one event of one session, so nothing is written twice until the log is rewritten.
 */

/** The version that this program writes. It also reads all earlier ones. */
export const sessionLogVersion = 2;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Milliseconds since 1970 within the range of `Date`. */
export const instant = v.pipe(count, v.maxValue(8_640_000_000_000_000));
export const timingFields = { start: count, end: count, duration: count };

/** Inputs as in `Round.inputs`. */
export const inputText = v.pipe(v.string(), v.regex(/^(?:[^\t\n]+\t\d{1,16}\t\d{1,16}\n)*$/));
export const sessionId = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));

const newBests = v.object({ wpm: v.boolean(), accuracy: v.boolean(), time: v.boolean() });

/** A round without its inputs and what they determine. */
export const roundFields = {
  id: v.string(),
  words: v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1)),
  lineEnds: v.exactOptional(v.array(count)),
  timing: v.exactOptional(v.object(timingFields)),
  newBests: v.exactOptional(newBests),
};

/** A session without its unsaved rounds. Version 1 had only the local player, and did not write it. */
export const sessionFields = {
  id: sessionId,
  player: v.optional(v.pipe(v.string(), v.regex(playerPattern)), localPlayer),
  client: v.optional(v.pipe(v.string(), v.regex(/^(?:address-[0-9a-f]{64})?$/)), ''),
  block: v.exactOptional(v.pipe(v.string(), v.regex(/^address-[0-9a-f]{64}$/))),
  createdAt: instant,
  roundCount: count,
};

const version = v.literal(2);

/** By the field that identifies each kind of line: trying one schema after the other would cost more than reading the log. */
const schemas = {
  /** Further inputs, from that length of their text on; without inputs, the session was used. */
  inputs: v.object({ v: version, id: sessionId, used: instant, from: count, inputs: inputText }),
  /** Everything except the unsaved rounds: the session is new, or has a new round. */
  session: v.object({
    v: version,
    used: instant,
    session: v.object({
      ...sessionFields,
      practice: practiceShape,
      round: v.nullable(v.object({ ...roundFields, inputs: inputText })),
    }),
  }),
  timing: v.object({
    v: version,
    id: sessionId,
    used: instant,
    timing: v.object(timingFields),
    newBests: v.exactOptional(newBests),
  }),
  /** A finished round that is not saved yet. */
  unsaved: v.object({ v: version, id: sessionId, unsaved: v.object({ id: v.string(), line: v.string() }) }),
  /** Rounds that have been saved. */
  kept: v.object({ v: version, id: sessionId, kept: v.array(v.string()) }),
  gone: v.object({ v: version, gone: sessionId }),
} as const;

const kinds = Object.entries(schemas);

export type SessionEvent = v.InferOutput<(typeof schemas)[keyof typeof schemas]>;

export function toEventLine(event: SessionEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** Parses a line of this version; undefined if it is damaged. */
export function parseEvent(raw: unknown): SessionEvent | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const [, schema] = kinds.find(([field]) => field in raw) ?? [];
  if (schema === undefined) return undefined;
  const { success, output } = v.safeParse(schema, raw);
  return success ? output : undefined;
}
