// Requests of the typing API, one schema each. Types are inferred from the schemas, the published OpenAPI
// document is generated from them, and requests are checked with them.
import * as v from 'valibot';
import { labelEntries } from '../typing/labels.ts';
import { modeNamePattern, modeNames } from '../typing/modes/mode.ts';
import { maxRoundInputs } from '../typing/round-input.ts';
import { findManyMarks, isOneCharacter, maxCharacter } from '../typing/rules/word.ts';
import { maxUnixMs } from '../typing/statistics/finished-round.ts';
import { practiceEntries, UploadedModeSchema } from './session-setup.ts';
import { described, maxLengthOf, optional, whole, wholeBetween } from './values.ts';

const instant = whole(0, maxUnixMs);

const seekTime = wholeBetween(
  0,
  3_600_000,
  'Milliseconds since the previous key; 0 or left out means "not measured".',
);

const typedCharacter = described(
  v.pipe(
    v.string('must be a string of one character'),
    v.minLength(1, 'must be one character, but is empty'),
    v.maxLength(maxCharacter, 'must be one character, but is longer'),
    v.check(isOneCharacter, 'must be exactly one visible character (spaces have an endpoint of their own)'),
  ),
  'Exactly one user-perceived character; no white space, no control character.',
);

const shortText = v.pipe(v.string('must be a text'), v.maxLength(64, 'is too long'));

const inputEntries = {
  seq: optional(
    whole(1, Number.MAX_SAFE_INTEGER),
    'Number of this input in its round: 1, 2, 3 … A repeated number changes nothing and gets the first answer again.',
  ),
  round_id: optional(
    shortText,
    'The round that this input is for: `round_id` of its start. For another one it is refused.',
  ),
};

const labelSchemas = labelEntries(({ maxLength }) =>
  v.exactOptional(
    v.pipe(v.string('must be a text'), v.minLength(1, 'must not be empty'), maxLengthOf(maxLength)),
  ),
);

export const CreateSessionRequestSchema = v.object({
  ...labelSchemas,
  punctuation_mode: v.exactOptional(v.boolean('must be true or false'), false),
  ...practiceEntries,
});
export type CreateSessionRequest = v.InferInput<typeof CreateSessionRequestSchema>;

/** For endpoints without input: an empty body, or an object whose entries are ignored. */
export const EmptyRequestSchema = v.object({});

export const RoundRequestSchema = v.object({
  repeat: optional(
    v.boolean('must be true or false'),
    "The text of the session's last round again; refused before the first.",
  ),
});

export const KeystrokeRequestSchema = v.object({
  char: typedCharacter,
  seek_time_ms: v.exactOptional(seekTime),
  ...inputEntries,
});

export const BackspaceRequestSchema = v.object(inputEntries);

export const SpaceRequestSchema = v.object({
  char: optional(
    v.picklist([' ', '\n'], 'must be a space or a line feed'),
    'A line feed may stand for the space at the end of a line.',
  ),
  seek_time_ms: v.exactOptional(seekTime),
  ...inputEntries,
});

export const InputEventSchema = v.variant(
  'type',
  [
    v.object({ type: v.literal('keystroke'), ...KeystrokeRequestSchema.entries }),
    v.object({ type: v.literal('backspace'), ...BackspaceRequestSchema.entries }),
    v.object({ type: v.literal('space'), ...SpaceRequestSchema.entries }),
  ],
  'must be "keystroke", "backspace" or "space"',
);
export type InputEvent = v.InferOutput<typeof InputEventSchema>;

export const InputRequestSchema = v.object({
  events: eventsUpTo(500, InputEventSchema),
});

function eventsUpTo<Event extends v.GenericSchema>(max: number, event: Event) {
  return v.pipe(
    v.array(event, 'must be a list of events'),
    v.minLength(1, 'must have at least one event'),
    v.maxLength(max, `must have at most ${max} events`),
  );
}

export const TimingRequestSchema = v.object({
  start_time_unix_ms: instant,
  end_time_unix_ms: instant,
  duration_ms: whole(1, 86_400_000),
});
export type TimingRequest = v.InferOutput<typeof TimingRequestSchema>;

export const maxPage = 1_000;

export const PageQuerySchema = v.object({
  limit: v.exactOptional(wholeBetween(1, maxPage, 'How many entries at most.')),
  after: optional(
    v.pipe(
      v.string('must be an id as the list shows it'),
      v.regex(
        /^(?:[0-9a-f]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/,
        'must be an id as the list shows it',
      ),
    ),
    'Only what comes after the entry with this id: `next` of the previous answer.',
  ),
});

/** Length of all words of an upload, in UTF-16 units: four times the longest custom text. */
const maxUpload = 40_000;

const maxWords = 3_200;

/** A whole round that was typed elsewhere. */
export const RoundUploadSchema = v.object({
  ...labelSchemas,
  id: v.pipe(v.string('must be a UUID'), v.uuid('must be a UUID')),
  words: v.pipe(
    v.array(
      v.pipe(
        v.string('must be a word'),
        v.regex(/^\S{1,10000}$/u, 'must be a word without white space'),
        v.check((word) => findManyMarks(word) < 0, 'holds a character that no key types'),
      ),
      'must be a list of words',
    ),
    v.minLength(1, 'must have at least one word'),
    v.maxLength(maxWords, `must have at most ${maxWords} words`),
    v.check(
      (words) => words.reduce((sum, { length }) => sum + length, 0) <= maxUpload,
      `must have at most ${maxUpload} characters together`,
    ),
  ),
  ...practiceEntries,
  mode: v.exactOptional(UploadedModeSchema, { type: 'words', count: 30 }),
  punctuation_mode: v.exactOptional(v.boolean('must be true or false'), false),
  events: eventsUpTo(maxRoundInputs, InputEventSchema),
  ...TimingRequestSchema.entries,
});
export type RoundUpload = v.InferInput<typeof RoundUploadSchema>;

/** The same before its events are checked, which takes up to 0.1 s: a server checks them one by one. */
export const UncheckedUploadSchema = v.object({
  ...RoundUploadSchema.entries,
  events: eventsUpTo(maxRoundInputs, v.unknown()),
});

export const HistoryQuerySchema = v.object({
  mode: optional(
    v.pipe(
      v.string(),
      v.regex(modeNamePattern, `must be ${modeNames.slice(0, -1).join(', ')} or ${modeNames.at(-1)}`),
    ),
    `One of ${modeNames.join(', ')}; without it, the mode of the session.`,
  ),
  language: optional(shortText, 'Only rounds in this language; default: every language.'),
  layout: optional(shortText, 'Only rounds on this layout; default: every layout.'),
});
