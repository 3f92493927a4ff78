// A player's own keyboard layout on the wire: an entry of GET /api/layouts without an id.
import * as v from 'valibot';
import { type Layout, newLayout, problemOfRows } from '../typing/letters/layout.ts';
import { described } from './values.ts';

const key = v.pipe(v.string('must be a key'), v.maxLength(2, 'must be one character'));
const row = v.pipe(
  v.array(key, 'must be a list of keys; there are four: top, home, bottom and number row'),
  v.maxLength(15, 'must have at most 15 keys'),
);
const finger = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(0, 'must be at least 0'),
  v.maxValue(9, 'must be at most 9'),
);

export const CustomLayoutSchema = described(
  v.pipe(
    v.object(
      {
        name: v.pipe(
          v.string('must be a text'),
          v.regex(
            /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]{0,58}[^\p{C}\p{Z}])?$/u,
            'must be 1 to 60 visible characters',
          ),
        ),
        rows: described(
          v.tuple([row, row, row, row], 'must be four lists of keys: top, home, bottom and number row'),
          'Unshifted characters of the top, home, bottom and number row, from left to right.',
        ),
        fingers: v.exactOptional(
          described(
            v.record(v.string(), finger),
            'Key to finger: 0 to 3 left little, ring, middle and index finger; 4 and 5 the thumbs; 6 to 9 right index, middle, ring and little finger. Keys left out have the finger of standard touch typing.',
          ),
          {},
        ),
      },
      'must have a name and rows',
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { rows, fingers } = dataset.value;
      const problem = problemOfRows(rows) ?? problemOfFingers(rows, fingers);
      if (problem !== undefined) addIssue({ message: problem });
    }),
  ),
  'A keyboard layout of the player’s own. Answers name it by an id that follows from its keys.',
);
export type CustomLayout = v.InferOutput<typeof CustomLayoutSchema>;

/** As a client keeps it: with the id that answers use for it. */
export const SavedLayoutSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^own-[0-9a-f]{16}$/)),
  layout: CustomLayoutSchema,
});
export type SavedLayout = v.InferOutput<typeof SavedLayoutSchema>;

function problemOfFingers(rows: readonly (readonly string[])[], fingers: object): string | undefined {
  const keys = new Set(rows.flat());
  const foreign = Object.keys(fingers).find((each) => !keys.has(each));
  return foreign === undefined ? undefined : 'has a finger for a key that is in none of its rows';
}

/** @param id its name in answers and histories */
export function newCustomLayout(id: string, { name, rows, fingers }: CustomLayout): Layout {
  const standard = newLayout(id, name, rows);
  return { ...standard, fingers: { ...standard.fingers, ...fingers } };
}
