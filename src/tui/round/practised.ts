import * as v from 'valibot';
import { OwnLayoutSchema } from '../../contract/own-layout.ts';
import { ModeSchema } from '../../contract/session-setup.ts';
import { defaultPractice } from '../../typing/modes/practice.ts';
import { LimitsSchema, noLimits } from './limits.ts';

/** Text from a file or a server that comes to the screen: without what would move the cursor or turn the direction. */
const shown = v.pipe(v.string(), v.transform(toShown));

/** As it is kept in journals, which may come from anywhere. */
export const PractisedSchema = v.object({
  mode: v.pipe(ModeSchema, v.transform(toShownMode)),
  language: shown,
  layout: shown,
  /** That layout itself, where it is the typist's own: only they can tell a server what it is. */
  ownLayout: v.exactOptional(OwnLayoutSchema),
  /** Indices of the words that end a line; empty where the text has no lines. */
  lineEnds: v.pipe(v.array(v.number()), v.readonly()),
  /** Columns that each of those lines begins with. */
  indents: v.optional(v.pipe(v.array(v.number()), v.readonly()), []),
  /** What the words were chosen for, with the typist's own time and the one to reach, ms; null: not known yet. */
  focus: v.optional(
    v.pipe(
      v.array(v.object({ text: shown, ms: v.nullable(v.number()), targetMs: v.number() })),
      v.readonly(),
    ),
    [],
  ),
  /** Who said a quote, or where it is from; empty if nobody tells. */
  source: v.optional(shown, ''),
  /** What ends the round early; journals of earlier versions have none. */
  limits: v.optional(LimitsSchema, noLimits),
});

/** What a round practises: as the server says, but for the limits, which are the client's own. */
export type Practised = Readonly<v.InferOutput<typeof PractisedSchema>>;

/** Whether its words are a text that hangs together: it is read as lines, and where it ends is seen. */
export function isReadAsText({ mode: { type } }: Pick<Practised, 'mode'>): boolean {
  return type === 'text' || type === 'quote' || type === 'code';
}

/** Whether its words are source code, of the program's own or of a folder. */
export function isCode(mode: Practised['mode']): boolean {
  return mode.type === 'code' || (mode.type === 'text' && mode.code !== undefined);
}

/** What a round is about: a letter, or a pair of letters. */
export type Focus = Practised['focus'][number];

/** The mode with a title that can be shown. */
export function toShownMode(mode: v.InferOutput<typeof ModeSchema>): v.InferOutput<typeof ModeSchema> {
  return mode.type === 'text' && mode.title !== undefined ? { ...mode, title: toShown(mode.title) } : mode;
}

function toShown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** Of a server that tells nothing, and of the rounds of earlier versions. */
export const usualPractised: Practised = {
  mode: { type: 'words', count: 30 },
  language: defaultPractice.language,
  layout: defaultPractice.layout,
  lineEnds: [],
  indents: [],
  focus: [],
  source: '',
  limits: noLimits,
};
