import * as v from 'valibot';
import { ModeSchema } from '../../contract/session-setup.ts';
import { defaultPractice } from '../../typing/modes/practice.ts';

/** As it is kept in journals. */
export const PractisedSchema = v.object({
  mode: ModeSchema,
  language: v.string(),
  layout: v.string(),
  /** Indices of the words that end a line; empty where the text has no lines. */
  lineEnds: v.pipe(v.array(v.number()), v.readonly()),
});

/** What a round practises, as the server says. */
export type Practised = Readonly<v.InferOutput<typeof PractisedSchema>>;

/** Of a server that tells nothing, and of the rounds of earlier versions. */
export const usualPractised: Practised = {
  mode: { type: 'words', count: 30 },
  language: defaultPractice.language,
  layout: defaultPractice.layout,
  lineEnds: [],
};
