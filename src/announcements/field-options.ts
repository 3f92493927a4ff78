import { type FieldName, type FieldValue, fieldNames, fieldOf } from './fields.ts';
import type { FieldOption } from './values/field.ts';
import { type FieldForm, newFlagForm, newTextForm, problemOf } from './values/form-input.ts';

/** The options of a command, in the order of the table. */
export function fieldOptions(command: 'publishOptions' | 'editOptions'): FieldOption[] {
  return fieldNames.flatMap((name) => fieldOf(name)[command] ?? []);
}

/** The names under which the parsed options arrive: `at`, `linkLabel`; `--no-link` arrives as `link` too. */
export function fieldOptionNames(command: 'publishOptions' | 'editOptions'): string[] {
  return [...new Set(fieldOptions(command).map(optionName))];
}

function optionName([flags]: FieldOption): string {
  const name = flags.replace(/^--(?:no-)?([a-z-]+).*$/, '$1');
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** How it is published comes after what is shown and to whom. */
const lastInForm: readonly FieldName[] = ['alongside', 'id'];

const forms = new Map(fieldNames.flatMap((name) => [[name, newForm(name)] as const]));

/** The fields of the form, in order. */
export const formFieldNames: readonly FieldName[] = [
  ...fieldNames.filter((name) => forms.get(name) !== undefined && !lastInForm.includes(name)),
  ...lastInForm,
];

/** How the form presents a field. */
export function formOf(name: FieldName): FieldForm<FieldValue> {
  const form = forms.get(name);
  if (form === undefined) throw new Error(`no form has ${name}`);
  return form;
}

/** The form that a field brings, or one line of text or of yes and no. */
function newForm(name: FieldName): FieldForm<FieldValue> | undefined {
  const { kind, label = '', preset, choices, input, form, parse } = fieldOf(name);
  if (form !== undefined || input === undefined) return form;
  const line = { name, label, ...input, ...(choices === undefined ? {} : { choices }) };
  if (kind === 'flag') return newFlagForm(line, preset === true) as FieldForm<FieldValue>;
  // Start and end are checked together, and against the clock, not line by line. Lines that may be empty have a hint that says so.
  const problemIn = (text: string) =>
    kind === 'instant' || text.trim() === '' ? undefined : problemOf(parse(text));
  const rule = choices === undefined ? { problemIn } : {};
  return newTextForm({ ...line, ...rule }, choices?.[0]) as FieldForm<FieldValue>;
}
