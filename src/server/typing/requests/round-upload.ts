import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as v from 'valibot';
import * as wire from '../../../contract/request-types.ts';
import { toReachedWords, type Word } from '../../../typing/rules/word.ts';
import { parsePart, parseRequest } from '../../http/requests/parse-request.ts';

// An upload may have 20,000 events and 40,000 characters of words, so other requests are handled between parts of it.

export type RoundUpload = v.InferOutput<typeof wire.RoundUploadSchema>;

/** Events checked, and characters of words split, in one go, which takes a few milliseconds. */
const eventsPerTurn = 1_000;
const charactersPerTurn = 5_000;

/** Checks the body of an upload. Rejects with the 400 of `parseRequest`. */
export async function parseUpload(body: Record<string, unknown>): Promise<RoundUpload> {
  const { events, words } = body;
  if (Array.isArray(words)) parseRequest(wire.UploadedWordCountSchema, body);
  if (!Array.isArray(events) || events.length <= eventsPerTurn)
    return parseRequest(wire.RoundUploadSchema, body);
  parseRequest(wire.UploadedEventCountSchema, body);
  const upload = parseRequest(wire.RoundUploadSchema, { ...body, events: events.slice(0, eventsPerTurn) });
  const parts = [upload.events];
  for (let at = eventsPerTurn; at < events.length; at += eventsPerTurn) {
    await nextTurn();
    const part = { events: events.slice(at, at + eventsPerTurn) };
    parts.push(parsePart(wire.InputPartSchema, part, at).events);
  }
  return { ...upload, events: parts.flat() };
}

/** The words of an upload, as returned by `toReachedWords`. */
export async function toUploadedWords({ words, events }: RoundUpload): Promise<Word[]> {
  let spaces = events.filter(({ type }) => type === 'space').length;
  const split: Word[] = [];
  for (const part of inParts(words)) {
    split.push(...toReachedWords(part, spaces));
    spaces = Math.max(-1, spaces - part.length);
    await nextTurn();
  }
  return split;
}

/** Splits the words into parts that are handled in one go. */
function inParts(words: readonly string[]): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const word of words) {
    if (room <= 0) {
      parts.push([]);
      room = charactersPerTurn;
    }
    parts.at(-1)?.push(word);
    room -= word.length;
  }
  return parts;
}
