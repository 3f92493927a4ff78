import { parseId } from './announcement-id.ts';
import { parseInstant, toInstantText } from './times/instant.ts';
import { type Audience, describeAudience, parseAudience, readAudience } from './values/audience.ts';
import { audienceForm } from './values/audience-form.ts';
import type { Checked, Field, FieldInput, FieldKind, FieldOption, Presence } from './values/field.ts';
import { type FieldForm, newFlagForm, newTextForm, problemOf } from './values/form-input.ts';
import { parseLink, parseLinkLabel } from './values/link.ts';
import { parseMessage } from './values/message.ts';
import { parseSeverity, type Severity, severities, severityChoices } from './values/severity.ts';
import {
  describeTranslations,
  parseTranslations,
  readTranslations,
  type Translations,
} from './values/translations.ts';
import { translationsForm } from './values/translations-form.ts';

const translationOptions: readonly FieldOption[] = [
  ['--translation <lang=text>', 'the message in that language, such as de="Hallo"; repeatable', 'repeatable'],
  ['--translated-link <lang=url>', 'the link for that language; repeatable', 'repeatable'],
  ['--translated-link-label <lang=text>', 'the words of that link; repeatable', 'repeatable'],
];

const audienceOptions: readonly FieldOption[] = [
  ['--site <origin>', 'only on this site, or https://*.example.org; repeatable', 'repeatable'],
  ['--path <pattern>', 'only on pages there, such as "/docs/*"; repeatable', 'repeatable'],
];

/**
 * The fields of a stored announcement. The file's schema, its known names, descriptions of changes, rows, JSON and the
 * options of the commands are derived from this table: a new field is one entry here and its rule.
 */
const fields = {
  id: newField({
    kind: 'text',
    presence: 'required',
    parse: (text) => toChecked(parseId(String(text)), 'id'),
    form: newTextForm({
      name: 'id',
      label: 'Id',
      hint: 'the next number; or a name of your own',
      problemIn: (text) => (text.trim() === '' ? undefined : problemOf(parseId(text.trim()))),
    }),
    publishOptions: [['--id <id>', 'a name of your own instead of the next number']],
  }),
  message: newField({
    kind: 'text',
    presence: 'required',
    label: 'Message',
    form: newTextForm({
      name: 'message',
      label: 'Message',
      hint: 'what visitors read, on one line',
      isExtra: false,
      problemIn: (text) => problemOf(parseMessage(text)),
    }),
    parse: (text) => toChecked(parseMessage(String(text)), 'message'),
    editOptions: [['--message <text>', 'new message; - reads it from standard input']],
  }),
  link: newField({
    kind: 'text',
    presence: 'empty',
    label: 'Link',
    meaning: 'Where a click leads; empty: nowhere.',
    form: newTextForm({
      name: 'link',
      label: 'Link',
      hint: 'none: the badge shows text only',
      isExtra: false,
      problemIn: (text) => problemOf(parseLink(text)),
    }),
    parse: (text) => toChecked(parseLink(String(text)), 'link'),
    publishOptions: [
      ['--link <address>', 'where a click leads; without it the badge shows text only'],
      ['--no-link', 'no link (the default)'],
    ],
    editOptions: [
      ['--link <address>', 'new link'],
      ['--no-link', 'remove the link'],
    ],
  }),
  published: newField({
    kind: 'instant',
    presence: 'required',
    label: 'Start',
    form: newTextForm({ name: 'at', label: 'Start', hint: 'at once', isExtra: false, problemIn: noProblem }),
    parse: checkInstant,
    publishOptions: [['--at <moment>', 'when it starts (default: now)']],
    editOptions: [['--at <moment>', 'new start, if it has not begun yet']],
  }),
  expires: newField({
    kind: 'instant',
    presence: 'required',
    label: 'End',
    form: newTextForm({ name: 'expires', label: 'End', hint: '', isExtra: false, problemIn: noProblem }),
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
    form: newFlagForm(
      { name: 'alongside', label: 'Alongside', hint: 'whether earlier announcements stay active beside it' },
      false,
    ) as FieldForm<true>,
    parse: checkFlag,
    publishOptions: [['--alongside', 'leave earlier announcements active beside it']],
    editOptions: [
      ['--alongside', 'leave earlier announcements active beside it'],
      ['--no-alongside', 'let it supersede earlier announcements'],
    ],
  }),
  severity: newField<Severity, 'text', 'optional'>({
    kind: 'text',
    presence: 'optional',
    preset: 'info',
    label: 'Severity',
    meaning: '`info`, `success`, `warning` or `critical`.',
    form: newTextForm(
      {
        name: 'severity',
        label: 'Severity',
        hint: 'a critical announcement interrupts screen readers',
        choices: severities,
      },
      'info',
    ) as FieldForm<Severity>,
    parse: parseSeverity,
    publishOptions: [['--severity <level>', severityChoices.replace('info', 'info (the default)')]],
    editOptions: [['--severity <level>', severityChoices]],
  }),
  dismissible: newField<false, 'flag', 'optional'>({
    kind: 'flag',
    presence: 'optional',
    preset: true,
    label: 'Dismissible',
    meaning: 'Whether readers can dismiss it.',
    remark: 'readers cannot dismiss it',
    form: newFlagForm(
      { name: 'dismissible', label: 'Dismissible', hint: 'whether readers can dismiss it' },
      true,
    ) as FieldForm<false>,
    parse: (value) => ({ value: value === false ? false : undefined }),
    read: ({ dismissible, notDismissible }) => (notDismissible === true ? false : dismissible),
    publishOptions: [['--not-dismissible', 'readers cannot dismiss it']],
    editOptions: [
      ['--not-dismissible', 'readers cannot dismiss it'],
      ['--dismissible', 'readers can dismiss it again'],
    ],
  }),
  linkLabel: newField({
    kind: 'text',
    presence: 'optional',
    label: 'Link label',
    meaning: 'Words of the link, 1 to 40 characters.',
    form: newTextForm({
      name: 'linkLabel',
      label: 'Link label',
      hint: 'none: the message is the link; or words beside it, up to 40 characters',
      problemIn: (text) => problemOf(parseLinkLabel(text)),
    }),
    parse: parseLinkLabel,
    publishOptions: [['--link-label <text>', 'words of the link, beside the message; 1 to 40 characters']],
    editOptions: [
      ['--link-label <text>', 'new words of the link'],
      ['--no-link-label', 'no words of its own: the message is the link'],
    ],
  }),
  translations: newField<Translations, 'nested', 'optional'>({
    kind: 'nested',
    presence: 'optional',
    label: 'Languages',
    meaning: 'By BCP 47 language: `message`, and `link` and `linkLabel` where they are others.',
    form: translationsForm,
    parse: parseTranslations,
    read: readTranslations,
    toLine: describeTranslations,
    publishOptions: translationOptions,
    editOptions: [...translationOptions, ['--no-translation', 'remove all; de= removes one']],
  }),
  audience: newField<Audience, 'nested', 'optional'>({
    kind: 'nested',
    presence: 'optional',
    label: 'Audience',
    meaning: '`sites`: origins; `paths`: patterns with `*`. Missing: everyone.',
    form: audienceForm,
    parse: parseAudience,
    read: readAudience,
    toLine: describeAudience,
    publishOptions: audienceOptions,
    editOptions: [...audienceOptions, ['--no-site', 'on every site'], ['--no-path', 'on every page']],
  }),
};

type Fields = typeof fields;
export type FieldName = keyof Fields;
type ValueOf<N extends FieldName> = Fields[N] extends Field<infer T> ? T : never;
type OptionalName = {
  [N in FieldName]: Fields[N]['presence'] extends 'optional' ? N : never;
}[FieldName];

/** An announcement as `history.json` holds it. All times are instants in UTC, whole seconds, `YYYY-MM-DDTHH:MM:SSZ`. */
export type StoredAnnouncement = {
  readonly [N in Exclude<FieldName, OptionalName>]: ValueOf<N>;
} & { readonly [N in OptionalName]?: ValueOf<N> };

/** Optional fields that readers get, if they are set. Each has its schema in the contract: the compiler finds one that is missing. */
const publicNames = ['severity', 'dismissible', 'linkLabel', 'translations', 'audience'] as const;
export type PublicName = (typeof publicNames)[number];
export type PublicFields = Pick<StoredAnnouncement, PublicName>;

export function publicFieldsOf(entry: StoredAnnouncement): PublicFields {
  return Object.fromEntries(
    publicNames.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])),
  );
}

export const fieldNames = Object.keys(fields) as FieldName[];

/** The entry of a field, for code that loops over the table. */
export function fieldOf(name: FieldName): Field<FieldValue> {
  return fields[name] as Field<FieldValue>;
}

/** Any value that a field can hold. */
export type FieldValue = string | boolean | object;

/** The value of a field, whether it is stored or a default; null if there is none. */
export function shownValueOf(entry: StoredAnnouncement, name: FieldName): FieldInput {
  const { kind, preset = kind === 'flag' ? false : null } = fieldOf(name);
  return entry[name] ?? preset;
}

/** Start and expiry are checked together, and against the clock, not line by line. */
function noProblem(): undefined {
  return undefined;
}

function newField<T extends FieldValue, K extends FieldKind, P extends Presence>(field: Field<T, K, P>) {
  return field;
}

function toChecked<N extends string>(
  result: ({ readonly [K in N]: string } & { warnings?: readonly string[] }) | { problem: string },
  name: N,
): Checked<string> {
  if ('problem' in result) return result;
  const { warnings = [] } = result;
  return { value: result[name], warnings };
}

function checkInstant(text: FieldInput): Checked<string> {
  const instant = parseInstant(String(text));
  if (instant !== undefined) return { value: toInstantText(instant) };
  return { problem: `"${text}" is not a time; write it like 2026-12-31T18:00:00Z` };
}

function checkFlag(value: FieldInput): Checked<true> {
  return { value: value === true ? true : undefined };
}
