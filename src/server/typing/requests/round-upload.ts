import type * as v from 'valibot';
import * as wire from '../../../contract/request-types.ts';
import { inSlices, type Steps } from '../../../kit/slices.ts';
import { toReachedWords, type Word } from '../../../typing/rules/word.ts';
import { parsePart, parseRequest } from '../../http/requests/parse-request.ts';

// An upload may have 20,000 events and 40,000 characters of words, so other requests are handled between parts of it.

export type RoundUpload = v.InferOutput<typeof wire.RoundUploadSchema>;

/** Events checked, and characters of words split, in one step. */
const eventsPerStep = 100;
const charactersPerStep = 500;

/** Checks the body of an upload. Rejects with the 400 of `parseRequest`. */
export function parseUpload(body: Record<string, unknown>): Promise<RoundUpload> {
  return inSlices(parseSteps(body));
}

function* parseSteps(body: Record<string, unknown>): Steps<RoundUpload> {
  const { events, words } = body;
  if (Array.isArray(words)) parseRequest(wire.UploadedWordCountSchema, body);
  if (!Array.isArray(events) || events.length <= eventsPerStep)
    return parseRequest(wire.RoundUploadSchema, body);
  parseRequest(wire.UploadedEventCountSchema, body);
  const upload = parseRequest(wire.RoundUploadSchema, { ...body, events: events.slice(0, eventsPerStep) });
  const parts = [upload.events];
  for (let at = eventsPerStep; at < events.length; at += eventsPerStep) {
    yield;
    const part = { events: events.slice(at, at + eventsPerStep) };
    parts.push(parsePart(wire.InputPartSchema, part, at).events);
  }
  return { ...upload, events: parts.flat() };
}

/** The words of an upload, as returned by `toReachedWords`. */
export function toUploadedWords(upload: RoundUpload): Promise<Word[]> {
  return inSlices(wordSteps(upload));
}

function* wordSteps({ words, events }: RoundUpload): Steps<Word[]> {
  let spaces = events.filter(({ type }) => type === 'space').length;
  const split: Word[] = [];
  for (const part of inParts(words)) {
    split.push(...toReachedWords(part, spaces));
    spaces = Math.max(-1, spaces - part.length);
    yield;
  }
  return split;
}

/** Splits the words into parts that are handled in one step. */
function inParts(words: readonly string[]): string[][] {
  const parts: string[][] = [];
  let room = 0;
  for (const word of words) {
    if (room <= 0) {
      parts.push([]);
      room = charactersPerStep;
    }
    parts.at(-1)?.push(word);
    room -= word.length;
  }
  return parts;
}
