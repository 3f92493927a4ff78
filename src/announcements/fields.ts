import { instantText, parseInstant } from './times/instant.ts';
import { type Audience, describeAudience, parseAudience, readAudience } from './values/audience.ts';
import {
  alternatives,
  type Checked,
  type Field,
  type FieldInput,
  type FieldKind,
  type FieldOption,
  type Parsed,
  type Presence,
} from './values/field.ts';
import { parseLink, parseLinkLabel } from './values/link.ts';
import { parseMarkdown } from './values/markdown.ts';
import { parseMessage } from './values/message.ts';
import { type Severity, severities } from './values/severity.ts';
import {
  describeTranslations,
  parseTranslations,
  patchTranslations,
  readTranslations,
  type Translations,
} from './values/translations.ts';

/**
 * The fields of a stored announcement. The file's schema, its known names, requests, descriptions of changes,
 * rows, JSON, forms and the options of the commands are derived from this table: a new field is one entry
 * here and its rule.
 */
const fields = {
  id: newField({
    kind: 'text',
    presence: 'required',
    parse: (text) => parseId(String(text).trim()),
    publishOptions: [['--id <id>', 'a name of your own instead of the next number']],
  }),
  /** Plain text; of a formatted announcement, the text of `markdown`. */
  message: newField({
    kind: 'text',
    presence: 'required',
    label: 'Message',
    parse: (text) => parseMessage(String(text)),
    read: ({ markdown, message }) => (markdown === true ? undefined : message),
    editOptions: [['--message <text>', 'new message; - reads it from standard input']],
  }),
  link: newField({
    kind: 'text',
    presence: 'empty',
    label: 'Link',
    meaning: 'Where a click leads; empty: nowhere.',
    parse: (text) => parseLink(String(text)),
    options: [
      ['--link <address>', 'where a click leads; without it the badge shows text only'],
      ['--no-link', 'no link'],
    ],
  }),
  published: newField({
    kind: 'instant',
    presence: 'required',
    label: 'Start',
    parse: checkInstant,
    publishOptions: [['--at <moment>', 'when it starts (default: now)']],
    editOptions: [['--at <moment>', 'new start, if it has not begun yet']],
  }),
  expires: newField({
    kind: 'instant',
    presence: 'required',
    label: 'End',
    parse: checkInstant,
    publishOptions: [['--expires <moment>', 'when it ends (default: +30d, counted from its start)']],
    editOptions: [['--expires <moment>', 'new end']],
  }),
  /** An editor ended it, or has it end, at this instant, before `expires`. */
  expired: newField({
    kind: 'instant',
    presence: 'optional',
    label: 'Ended',
    remark: 'by an editor',
    parse: checkInstant,
  }),
  /** An editor withdrew it at this instant: it is gone from the public history and supersedes nothing. */
  withdrawn: newField({ kind: 'instant', presence: 'optional', label: 'Withdrawn', parse: checkInstant }),
  /** Set: it supersedes no earlier announcement. */
  alongside: newField({
    kind: 'flag',
    presence: 'optional',
    label: 'Alongside',
    meaning: 'Leaves earlier announcements active beside it.',
    remark: 'earlier announcements stay active beside it',
    parse: checkFlag,
    options: [['--alongside', 'leave earlier announcements active beside it']],
    editOptions: [['--no-alongside', 'let it supersede earlier announcements']],
  }),
  severity: newField<Severity, 'text', 'optional'>({
    kind: 'text',
    presence: 'optional',
    choices: severities,
    preset: 'info',
    label: 'Severity',
    meaning: '`info`, `success`, `warning` or `critical`.',
    parse: (level) => checkChoice(level, severities, 'a severity', 'info'),
    options: [['--severity <level>', alternatives(severities).replace('info', 'info (the default)')]],
  }),
  dismissible: newField<boolean, 'flag', 'optional'>({
    kind: 'flag',
    presence: 'optional',
    preset: true,
    label: 'Dismissible',
    meaning: 'Whether readers can dismiss it.',
    remark: 'readers cannot dismiss it',
    parse: (value) => ({ value: value === false ? false : undefined }),
    read: ({ dismissible, notDismissible }) => (notDismissible === true ? false : dismissible),
    options: [['--not-dismissible', 'readers cannot dismiss it']],
    editOptions: [['--dismissible', 'readers can dismiss it again']],
  }),
  linkLabel: newField({
    kind: 'text',
    presence: 'optional',
    label: 'Link label',
    meaning: 'Words of the link, 1 to 40 characters.',
    parse: parseLinkLabel,
    options: [['--link-label <text>', 'words of the link, beside the message; 1 to 40 characters']],
    editOptions: [['--no-link-label', 'no words of its own: the message is the link']],
  }),
  markdown: newField({
    kind: 'text',
    presence: 'optional',
    label: 'Formatted',
    meaning:
      'The message with **strong**, *emphasis*, `code` and [words](https://…), given instead of `message`, which is then its plain text.',
    parse: (text) => parseMarkdown(text),
    read: ({ markdown, message }) => (markdown === true ? message : undefined),
    options: [
      [
        '--markdown',
        'the message and translations given here may hold **strong**, *emphasis*, `code` and [words](https://…)',
      ],
    ],
  }),
  translations: newField<Translations, 'nested', 'optional'>({
    kind: 'nested',
    presence: 'optional',
    label: 'Languages',
    meaning: 'By BCP 47 language: `message` or `markdown`, and `link` and `linkLabel` where they are others.',
    parse: parseTranslations,
    patch: patchTranslations,
    read: readTranslations,
    describe: describeTranslations,
    options: [
      [
        '--translation <lang=text>',
        'the message in that language, such as de="Hallo"; repeatable',
        'repeatable',
      ],
      ['--translated-link <lang=url>', 'the link for that language; repeatable', 'repeatable'],
      ['--translated-link-label <lang=text>', 'the words of that link; repeatable', 'repeatable'],
    ],
    editOptions: [['--no-translation', 'remove all; de= removes one']],
  }),
  audience: newField<Audience, 'nested', 'optional'>({
    kind: 'nested',
    presence: 'optional',
    label: 'Audience',
    meaning: '`sites`: origins; `paths`: patterns with `*`. Missing: everyone.',
    parse: parseAudience,
    read: readAudience,
    describe: describeAudience,
    options: [
      ['--site <origin>', 'only on this site, or https://*.example.org; repeatable', 'repeatable'],
      ['--path <pattern>', 'only on pages there, such as "/docs/*"; repeatable', 'repeatable'],
    ],
    editOptions: [
      ['--no-site', 'on every site'],
      ['--no-path', 'on every page'],
    ],
  }),
};

type Fields = typeof fields;
export type FieldName = keyof Fields;
type ValueOf<N extends FieldName> = Fields[N] extends Field<infer T> ? T : never;
type OptionalName = {
  [N in FieldName]: Fields[N]['presence'] extends 'optional' ? N : never;
}[FieldName];

/** An announcement in `history.json`. Times are UTC instants in whole seconds, `YYYY-MM-DDTHH:MM:SSZ`. */
export type StoredAnnouncement = {
  readonly [N in Exclude<FieldName, OptionalName>]: ValueOf<N>;
} & { readonly [N in OptionalName]?: ValueOf<N> };

/** Optional fields that readers see where they are set: badge, previews and their JSON have them. */
export const drawnNames = ['markdown', 'severity', 'dismissible', 'linkLabel'] as const;

/** Optional fields that are public if they are set. */
export const publicNames = [
  ...drawnNames,
  'translations',
  'audience',
] as const satisfies readonly OptionalName[];
export type PublicName = (typeof publicNames)[number];
export type PublicFields = Pick<StoredAnnouncement, PublicName>;

export function setFields<N extends FieldName>(
  entry: { readonly [Name in FieldName]?: StoredAnnouncement[Name] | undefined },
  names: readonly N[],
): Pick<StoredAnnouncement, N> {
  const set = names.filter((name) => entry[name] !== undefined).map((name) => [name, entry[name]]);
  return Object.fromEntries(set) as Pick<StoredAnnouncement, N>;
}

export const fieldNames = Object.keys(fields) as FieldName[];

export function fieldOf(name: FieldName): Field<FieldValue> {
  return fields[name] as Field<FieldValue>;
}

export type FieldValue = string | boolean | object;

/** The default of a field; null if it has none. */
export function presetOf(name: FieldName): FieldInput {
  const { kind, preset = kind === 'flag' ? false : null } = fieldOf(name);
  return preset;
}

function newField<T extends FieldValue, K extends FieldKind, P extends Presence>(field: Field<T, K, P>) {
  return field;
}

/** Excludes control characters, so that an id from a server is safe in a terminal. */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function parseId(text: string): Parsed<string> {
  if (idPattern.test(text)) return { value: text };
  return {
    problem: `"${text}" cannot be an id; an id is 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit`,
  };
}

function checkInstant(text: FieldInput): Checked<string> {
  const instant = parseInstant(String(text));
  if (instant !== undefined) return { value: instantText(instant) };
  return { problem: `"${text}" is not a time; write it like 2026-12-31T18:00:00Z` };
}

/**
 * @param what one of the choices, such as `a severity`
 * @param preset the one that is meant, and stored, by leaving the field out
 */
function checkChoice<T extends string>(
  given: FieldInput,
  choices: readonly T[],
  what: string,
  preset?: T,
): Checked<T> {
  const choice = choices.find((one) => one === given);
  if (choice !== undefined) return { value: choice === preset ? undefined : choice };
  const shown = typeof given === 'string' ? JSON.stringify(given.slice(0, 40)) : 'that';
  return { problem: `${shown} is not ${what}; write ${alternatives(choices)}` };
}

function checkFlag(value: FieldInput): Checked<true> {
  return { value: value === true ? true : undefined };
}

export function fieldOptions(command: 'publishOptions' | 'editOptions'): FieldOption[] {
  return fieldNames.flatMap((name) => {
    const { options = [], [command]: more = [] } = fieldOf(name);
    return [...options, ...more];
  });
}

/** The names under which the parsed options arrive: `at`, `linkLabel`; `--no-link` arrives as `link` too. */
export function fieldOptionNames(command: 'publishOptions' | 'editOptions'): string[] {
  return [...new Set(fieldOptions(command).map(optionName))];
}

function optionName([flags]: FieldOption): string {
  const name = flags.replace(/^--(?:no-)?([a-z-]+).*$/, '$1');
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
