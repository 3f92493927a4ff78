// What a session practises, on the wire.
import * as v from 'valibot';
import { defaultMode, type Mode as EngineMode } from '../typing/modes/mode.ts';
import { longestText, problemOfText } from '../typing/modes/text.ts';
import { defaultRules, type Rules as EngineRules, ruleValues } from '../typing/rules/rules.ts';
import { OwnLayoutSchema } from './own-layout.ts';

/** One of these values; the error lists them all. */
function oneOf<const Values extends readonly [string, ...string[]]>(values: Values, what: string) {
  return v.pipe(v.picklist(values, `must be ${toChoices(values)}`), v.description(what));
}

export function toChoices(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`);
  return quoted.length === 1 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/** Refuses a list, which Valibot would accept as an object without entries. */
function notList<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return {
    ...schema,
    '~run': (dataset, config) =>
      schema['~run'](Array.isArray(dataset.value) ? { ...dataset, value: 'a list' } : dataset, config),
  };
}

const earlySpace = oneOf(
  ruleValues.earlySpace,
  'A space in a word that is begun but not covered: `error` counts it as a wrong keystroke; with `skip` it ends the word, and the missing characters count as omitted.',
);
const stopOn = oneOf(
  ruleValues.stopOn,
  '`letter`: a wrong key counts but does not enter the input. `word`: a space after a word with mistakes does nothing.',
);
const backspace = oneOf(
  ruleValues.backspace,
  '`free` and `word` both reach back to the beginning of the current word, never further; `none`: every backspace is refused.',
);

export const RulesSchema = v.object({ early_space: earlySpace, stop_on: stopOn, backspace });
export type Rules = v.InferOutput<typeof RulesSchema>;

const RulesRequestSchema = notList(
  v.object(
    {
      early_space: v.exactOptional(earlySpace, defaultRules.earlySpace),
      stop_on: v.exactOptional(stopOn, defaultRules.stopOn),
      backspace: v.exactOptional(backspace, defaultRules.backspace),
    },
    `must be an object with ${[
      `early_space (${toChoices(ruleValues.earlySpace)})`,
      `stop_on (${toChoices(ruleValues.stopOn)})`,
      `backspace (${toChoices(ruleValues.backspace)})`,
    ].join(', ')}`,
  ),
);

export function toWireRules({ earlySpace, stopOn, backspace }: EngineRules): Rules {
  return { early_space: earlySpace, stop_on: stopOn, backspace };
}

export function toEngineRules({ early_space, stop_on, backspace }: Rules): EngineRules {
  return { earlySpace: early_space, stopOn: stop_on, backspace };
}

const [fewestWords, mostWords] = [10, 200];
const [fewestSeconds, mostSeconds] = [5, 600];
const wordCount = wholeBetween(fewestWords, mostWords, 'Words of the round.');
const seconds = wholeBetween(fewestSeconds, mostSeconds, 'Length of the test.');

function wholeBetween(least: number, most: number, what: string) {
  const message = `must be a whole number from ${least} to ${most}`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
    v.description(what),
  );
}

const ownText = v.pipe(
  v.string('must be a text'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(longestText, `must have at most ${longestText} characters`),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? problemOfText(dataset.value) : undefined;
    if (problem !== undefined) addIssue({ message: problem });
  }),
);
const title = v.pipe(v.string('must be a text'), v.maxLength(200, 'must have at most 200 characters'));
const quoteLength = oneOf(['any', 'short', 'medium', 'long'], 'Below 100 characters, below 300, or more.');
const drilled = oneOf(['letters', 'bigrams', 'words'], 'What this player misses or is slow on.');
const drillText = v.pipe(
  ownText,
  v.description('The words to drill, in place of those that the history of this player suggests.'),
);
/** A name that the server looks up later; its error for an unknown name lists the known ones. */
function knownName(what: string) {
  const message = `must be ${what}`;
  return v.pipe(v.string(message), v.minLength(1, message), v.maxLength(64, message));
}
const codeLanguage = v.exactOptional(
  knownName('the name of a programming language, such as "typescript"'),
  'typescript',
);

const modeTypes = ['words', 'time', 'text', 'quote', 'code', 'drill', 'guided'] as const;

function modeProblem({ path }: v.VariantIssue): string {
  const choices = toChoices(modeTypes);
  return path === undefined ? `must be an object whose type is ${choices}` : `must be ${choices}`;
}

export const ModeRequestSchema = notList(
  v.variant(
    'type',
    [
      v.object({ type: v.literal('words'), count: v.exactOptional(wordCount, 30) }),
      v.object({ type: v.literal('time'), seconds: v.exactOptional(seconds, 60) }),
      v.object({ type: v.literal('text'), text: ownText, title: v.exactOptional(title) }),
      v.object({ type: v.literal('quote'), length: v.exactOptional(quoteLength, 'any') }),
      v.object({ type: v.literal('code'), language: codeLanguage }),
      v.object({
        type: v.literal('drill'),
        on: v.exactOptional(drilled, 'letters'),
        text: v.exactOptional(drillText),
      }),
      v.object({ type: v.literal('guided') }),
    ],
    modeProblem,
  ),
);

/** The mode in answers: without the player's own text, whose words are in the round. */
export const ModeSchema = v.variant('type', [
  v.object({ type: v.literal('words'), count: wordCount }),
  v.object({ type: v.literal('time'), seconds }),
  v.object({ type: v.literal('text'), title: v.exactOptional(title) }),
  v.object({ type: v.literal('quote'), length: quoteLength }),
  v.object({ type: v.literal('code'), language: v.string() }),
  v.object({ type: v.literal('drill'), on: drilled }),
  v.object({ type: v.literal('guided') }),
]);
export type Mode = v.InferOutput<typeof ModeSchema>;

const layoutId = 'an id of GET /api/layouts, such as "qwerty"';

/** What is wrong inside an object, which a union alone would not say. */
function layoutProblem({ input, issues }: v.UnionIssue<v.BaseIssue<unknown>>): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return `must be ${layoutId}, or a layout of your own`;
  const own = issues?.find(({ type, path }) => type !== 'string' || path !== undefined);
  const path = own?.type === 'object' ? [] : (own?.path ?? []);
  const place = path.map(({ key }) => String(key)).join('.');
  return place === '' ? String(own?.message) : `${place} ${own?.message}`;
}

/** What a session practises; every entry is optional. */
export const practiceEntries = {
  mode: v.exactOptional(ModeRequestSchema, defaultMode),
  language: v.exactOptional(
    v.pipe(
      knownName('an id of GET /api/languages, such as "en"'),
      v.description('An id of `GET /api/languages`.'),
    ),
    'en',
  ),
  layout: v.exactOptional(
    v.union(
      [v.pipe(knownName(layoutId), v.description('An id of `GET /api/layouts`.')), notList(OwnLayoutSchema)],
      layoutProblem,
    ),
    'qwerty',
  ),
  rules: v.exactOptional(RulesRequestSchema, {}),
};

export function toWireMode(mode: EngineMode): Mode {
  if (mode.type === 'drill') return { type: 'drill', on: mode.on };
  if (mode.type !== 'text') return mode;
  return { type: 'text', ...(mode.title === undefined ? {} : { title: mode.title }) };
}

/** The mode of an uploaded round: without its text, which arrives as `words`. */
export const UploadedModeSchema = notList(
  v.variant(
    'type',
    [
      v.object({ type: v.literal('words'), count: v.exactOptional(wordCount, 30) }),
      v.object({ type: v.literal('time'), seconds: v.exactOptional(seconds, 60) }),
      v.object({ type: v.literal('text'), title: v.exactOptional(title) }),
      v.object({ type: v.literal('quote'), length: v.exactOptional(quoteLength, 'any') }),
      v.object({ type: v.literal('code'), language: codeLanguage }),
      v.object({ type: v.literal('drill'), on: v.exactOptional(drilled, 'letters') }),
      v.object({ type: v.literal('guided') }),
    ],
    modeProblem,
  ),
);
