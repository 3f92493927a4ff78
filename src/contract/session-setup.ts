// What a session practises, on the wire.
import * as v from 'valibot';
import {
  defaultMode,
  type Mode as EngineMode,
  isContent,
  type ModeOf,
  type ModeType,
  modeTypes,
  type Parameter,
  parametersOf,
} from '../typing/modes/mode.ts';
import { problemOfText, untypableWord } from '../typing/modes/text.ts';
import { defaultRules, ruleValues } from '../typing/rules/rules.ts';
import { normalForm } from '../typing/rules/word.ts';
import { described, maxLengthOf, wholeBetween } from './values.ts';

/** One of these values; the error lists them all. */
function oneOf<const Values extends readonly [string, ...string[]]>(values: Values, what: string) {
  return described(v.picklist(values, `must be ${formatChoices(values)}`), what);
}

export function formatChoices(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`);
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(quoted);
}

/** Refuses a list, which Valibot would accept as an object without entries. */
function notList<Schema extends v.GenericSchema>(schema: Schema): Schema {
  return {
    ...schema,
    '~run': (dataset, config) =>
      schema['~run'](Array.isArray(dataset.value) ? { ...dataset, value: 'a list' } : dataset, config),
  };
}

const rules = {
  early_space: oneOf(
    ruleValues.early_space,
    'A space in a word that is begun but not covered: `error` counts it as a wrong keystroke; with `skip` it ends the word, and the missing characters count as omitted.',
  ),
  stop_on: oneOf(
    ruleValues.stop_on,
    '`letter`: a wrong key counts but does not enter the input. `word`: a space after a word with mistakes does nothing.',
  ),
  backspace: oneOf(
    ruleValues.backspace,
    '`free` and `word` both reach back to the beginning of the current word, never further; `none`: every backspace is refused.',
  ),
};

export const RulesSchema = v.object(rules);
export type Rules = v.InferOutput<typeof RulesSchema>;

const RulesRequestSchema = notList(
  v.object(
    {
      early_space: v.exactOptional(rules.early_space, defaultRules.early_space),
      stop_on: v.exactOptional(rules.stop_on, defaultRules.stop_on),
      backspace: v.exactOptional(rules.backspace, defaultRules.backspace),
    },
    `must be an object with ${Object.entries(ruleValues)
      .map(([name, values]) => `${name} (${formatChoices(values)})`)
      .join(', ')}`,
  ),
);

/* Modes: one entry for each parameter of the list in `typing/modes/mode.ts`. */

function entryOf(parameter: Parameter): v.GenericSchema {
  const { what } = parameter;
  switch (parameter.kind) {
    case 'number':
      return wholeBetween(parameter.min, parameter.max, what);
    case 'choice':
      return oneOf(parameter.values, what);
    case 'flag':
      return described(v.boolean('must be true or false'), what);
    case 'name':
      return described(knownName(parameter.sentence), what);
    case 'tag': {
      const message = 'must be 1 to 20 lower-case letters, such as "typescript"';
      return described(v.pipe(v.string(message), v.regex(/^[a-z]{1,20}$/, message)), what);
    }
    case 'label':
      return described(v.pipe(v.string('must be a text'), maxLengthOf(parameter.max)), what);
    case 'content':
      return content(parameter.max, what);
    default:
      return listOf(parameter);
  }
}

function content(max: number, what: string) {
  return described(
    v.pipe(
      v.string('must be a text'),
      v.minLength(1, 'must not be empty'),
      maxLengthOf(max),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? problemOfText(dataset.value) : undefined;
        if (problem !== undefined) addIssue({ message: problem });
      }),
    ),
    what,
  );
}

function listOf({ kind, min, max, maxLength, what }: Extract<Parameter, { kind: 'words' | 'parts' }>) {
  const ofEach = kind === 'words' ? `a word of at most ${maxLength} characters` : 'a letter or two letters';
  const ofAll = `must be a list of ${min} to ${max} different ${kind === 'words' ? 'words' : 'letters or bigrams'}`;
  return described(
    v.pipe(
      v.array(
        v.pipe(
          v.string(`must be ${ofEach}`),
          v.maxLength(maxLength, `must be ${ofEach}`),
          v.regex(kind === 'words' ? /^\S+$/ : /^\p{L}{1,2}$/u, `must be ${ofEach}`),
        ),
        ofAll,
      ),
      v.minLength(min, ofAll),
      v.maxLength(max, ofAll),
      v.check((texts) => new Set(texts.map(normalForm)).size === texts.length, ofAll),
      // Of all at once: of each word it would take ten times as long.
      v.check((texts) => untypableWord(texts.join(' ')) === undefined, `${ofAll} that keys type`),
    ),
    what,
  );
}

/** A name that the server looks up later; its error for an unknown name lists the known ones. */
function knownName(what: string) {
  const message = `must be ${what}`;
  return v.pipe(v.string(message), v.minLength(1, message), v.maxLength(64, message));
}

function modeProblem({ path }: v.VariantIssue): string {
  const choices = formatChoices(modeTypes);
  return path === undefined ? `must be an object whose type is ${choices}` : `must be ${choices}`;
}

/** A schema of modes: `entry` returns the schema of each parameter, or undefined to leave it out. */
function modeVariant<Request, Answer>(entry: (parameter: Parameter) => v.GenericSchema | undefined) {
  const options = modeTypes.map((type) => {
    const entries = parametersOf(type).map(([name, parameter]) => [name, entry(parameter)]);
    return v.object({
      type: v.literal(type),
      ...Object.fromEntries(entries.filter(([, schema]) => schema !== undefined)),
    });
  });
  return notList(v.variant('type', options, modeProblem)) as unknown as v.GenericSchema<Request, Answer>;
}

/** The entry in a request: a parameter with a default may be left out. */
function requestedEntry(parameter: Parameter): v.GenericSchema {
  const entry = entryOf(parameter);
  if (parameter.isNeeded === true) return entry;
  const { default: defaultValue } = parameter;
  return defaultValue === undefined ? v.exactOptional(entry) : v.exactOptional(entry, defaultValue);
}

/** Letters have one character and bigrams two; the other drills have no targets. */
const targetLength = { letters: 1, bigrams: 2, words: 0 } as const;

export const ModeRequestSchema = v.pipe(
  modeVariant<ModeRequest, EngineMode>(requestedEntry),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.type !== 'drill') return;
    const { on, targets = [] } = dataset.value;
    if (targets.some(({ length }) => length !== targetLength[on]))
      addIssue({ message: `has targets that are not ${on === 'words' ? 'letters or bigrams' : on}` });
  }),
);
export type ModeRequest = { [T in ModeType]: { readonly type: T } & Partial<ModeOf<T>> }[ModeType];

/** The mode in answers: without the player's text and words, which are in the round. */
export const ModeSchema = modeVariant<Mode, Mode>((parameter) => {
  if (isContent(parameter)) return undefined;
  return parameter.default === undefined ? v.exactOptional(entryOf(parameter)) : entryOf(parameter);
});
export type Mode = WithoutContent<EngineMode>;
type WithoutContent<M> = M extends { type: 'text' | 'drill' } ? Omit<M, 'text'> : Omit<M, 'list'>;

/** The mode of an uploaded round: without its text, which arrives as `words`. A list of words names its kind. */
export const UploadedModeSchema = modeVariant<ModeRequest, UploadedMode>((parameter) =>
  parameter.kind === 'content' ? undefined : requestedEntry(parameter),
);
export type UploadedMode = Mode | Exclude<EngineMode, { type: 'text' | 'drill' }>;

export function wireMode(mode: EngineMode): Mode {
  const left = parametersOf(mode.type).filter(([, parameter]) => isContent(parameter));
  const names = new Set(left.map(([name]) => name));
  return Object.fromEntries(Object.entries(mode).filter(([name]) => !names.has(name))) as unknown as Mode;
}

/** What a session practises; every entry is optional. */
export const practiceEntries = {
  mode: v.exactOptional(ModeRequestSchema, defaultMode),
  language: v.exactOptional(
    described(knownName('an id of GET /api/languages, such as "en"'), 'An id of `GET /api/languages`.'),
    'en',
  ),
  layout: v.exactOptional(
    described(knownName('an id of GET /api/layouts, such as "qwerty"'), 'An id of `GET /api/layouts`.'),
    'qwerty',
  ),
  rules: v.exactOptional(RulesRequestSchema, {}),
};
