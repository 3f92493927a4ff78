import { type FieldName, type FieldValue, fieldNames, fieldOf } from './fields.ts';
import type { FieldOption } from './values/field.ts';
import type { FieldForm } from './values/form-input.ts';

/** The options of a command, in the order of the table. */
export function fieldOptions(command: 'publishOptions' | 'editOptions'): FieldOption[] {
  return fieldNames.flatMap((name) => fieldOf(name)[command] ?? []);
}

/** The names under which the parsed options arrive: `at`, `linkLabel`; `--no-link` arrives as `link` too. */
export function fieldOptionNames(command: 'publishOptions' | 'editOptions'): string[] {
  const names = fieldOptions(command).map(toOptionName);
  return [...new Set(names)];
}

/** How it is published comes after what is shown and to whom. */
const lastInForm: readonly FieldName[] = ['alongside', 'id'];

/** The fields of the form, in order. */
export const formFieldNames: readonly FieldName[] = [
  ...fieldNames.filter((name) => fieldOf(name).form !== undefined && !lastInForm.includes(name)),
  ...lastInForm,
];

/** How the form presents a field. */
export function formOf(name: FieldName): FieldForm<FieldValue> {
  const { form } = fieldOf(name);
  if (form === undefined) throw new Error(`no form has ${name}`);
  return form;
}

function toOptionName([flags]: FieldOption): string {
  const name = flags.replace(/^--(?:no-)?([a-z-]+).*$/, '$1');
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
