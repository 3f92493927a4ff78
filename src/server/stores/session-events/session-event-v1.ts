import * as v from 'valibot';
import { defaultPractice } from '../../../typing/modes/practice.ts';
import type { JournalRound } from '../journal-round.ts';
import { localPlayer } from '../player.ts';
import { toUnsavedRound } from '../unsaved-rounds.ts';
import {
  inputText,
  instant,
  roundFields,
  type SessionEvent,
  sessionFields,
  sessionId,
  timingFields,
} from './session-event.ts';

// Version 1 wrote the whole session, with the keys of all its unsaved rounds, whenever anything except inputs had changed.

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const finishedFields = {
  id: v.string(),
  session: v.string(),
  player: sessionFields.player,
  punctuation: v.boolean(),
  completedAt: v.string(),
  words: v.array(v.string()),
  keys: v.array(v.string()),
  seekTimes: v.array(count),
  timing: v.object(timingFields),
};

const lineSchema = v.union([
  v.object({ v: v.literal(1), id: sessionId, used: instant, from: count, inputs: inputText }),
  v.object({
    v: v.literal(1),
    used: instant,
    session: v.object({
      ...sessionFields,
      punctuation: v.boolean(),
      round: v.nullable(v.object({ ...roundFields, inputs: inputText })),
      unsaved: v.array(v.object(finishedFields)),
    }),
  }),
  v.object({ v: v.literal(1), gone: sessionId }),
]);

/** The events of a line of version 1; undefined if it is damaged. */
export function parseEventsV1(raw: unknown): SessionEvent[] | undefined {
  const { success, output } = v.safeParse(lineSchema, raw);
  if (!success) return undefined;
  if ('gone' in output || 'inputs' in output) return [{ ...output, v: 2 }];
  const {
    session: { unsaved, punctuation, ...fields },
    used,
  } = output;
  const session = { ...fields, practice: { ...defaultPractice, punctuation } };
  const rounds = unsaved.map((round): JournalRound => ({ ...round, player: round.player ?? localPlayer }));
  return [
    { v: 2, gone: session.id },
    { v: 2, used, session },
    ...rounds.map((round) => ({ v: 2 as const, id: session.id, unsaved: toUnsavedRound(round) })),
  ];
}
