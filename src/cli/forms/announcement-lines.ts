import { formFieldNames, formOf } from '../../announcements/field-options.ts';
import { type FieldName, fieldOf } from '../../announcements/fields.ts';
import { type PlainValues, plainNames } from '../../announcements/plain-values.ts';
import type { FieldInput } from '../../announcements/values/field.ts';
import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { isSameValue, patchOf } from '../../announcements/values/object-parts.ts';
import type { AnnouncementJson } from '../display/announcement-json.ts';
import { toClockText } from '../display/moments.ts';
import { RefusedError } from '../program/command-errors.ts';

/** What an editor has written, as `publish` and `edit` take it. */
export interface Answers {
  readonly at?: string | undefined;
  readonly expires?: string | undefined;
  readonly id?: string | undefined;
  readonly values: PlainValues;
}

/** What is known before a form is opened: moments as they were typed, values as they would be stored. */
export interface Given {
  readonly at?: string | undefined;
  readonly expires?: string | undefined;
  readonly id?: string | undefined;
  readonly values: Known;
}

/** What of an announcement is known; null: it is not set. */
type Known = { readonly [N in FieldName]?: FieldInput | undefined };

/** The fields that can be written: of a new announcement, or of one that has begun or not. */
export function writableNames(kind: 'new' | 'scheduled' | 'begun'): readonly FieldName[] {
  if (kind === 'new') return formFieldNames;
  return formFieldNames.filter((name) => name !== 'id' && !(name === 'published' && kind === 'begun'));
}

/** What of an announcement can be changed. */
export interface Editable {
  readonly names: readonly FieldName[];
  /** When it began, milliseconds since 1970; undefined if it has not yet. */
  readonly begun: number | undefined;
  readonly initial: FormLines;
}

/** Throws a `RefusedError` for an announcement that was withdrawn. */
export function editable(announcement: AnnouncementJson, zone: string): Editable {
  const { id, state, published } = announcement;
  if (state === 'withdrawn') throw new RefusedError(`${id} was withdrawn; undo that to bring it back`);
  const isScheduled = state === 'scheduled';
  const names = writableNames(isScheduled ? 'scheduled' : 'begun');
  const begun = isScheduled ? undefined : Date.parse(published);
  return { names, begun, initial: toLines(announcement, names, zone) };
}

/** The inputs of these fields, those that are always asked for first. */
export function inputsOf(names: readonly FieldName[], lines: FormLines): FormInput[] {
  const inputs = names.flatMap((name) => formOf(name).inputs(lines));
  return [...inputs.filter(({ isExtra }) => !isExtra), ...inputs.filter(({ isExtra }) => isExtra)];
}

/** An announcement as lines, moments as the clock in that zone shows them. */
export function toLines(known: Known, names: readonly FieldName[], zone: string): FormLines {
  const lines = names.map((name) => {
    const value = known[name] ?? undefined;
    const isInstant = fieldOf(name).kind === 'instant' && value !== undefined;
    return formOf(name).write(isInstant ? toClockText(String(value), zone) : value);
  });
  return Object.assign({}, ...lines);
}

/** What lines say about a new announcement. */
export function readLines(lines: FormLines): Answers {
  return {
    ...readMoments(lines),
    ...readId(lines),
    values: readValues(
      lines,
      () => true,
      (value) => value,
    ),
  };
}

/** What lines say differently from others: only that is to change. */
export function readChanges(lines: FormLines, initial: FormLines): Answers {
  const isTouched = (name: FieldName) => !isSameValue(formOf(name).read(lines), formOf(name).read(initial));
  const values = readValues(lines, isTouched, (value, name) =>
    fieldOf(name).kind === 'nested' ? (patchOf(formOf(name).read(initial), value) as FieldInput) : value,
  );
  const moments = Object.entries(readMoments(lines)).filter(
    ([name, text]) => text !== (initial[name] ?? '').trim(),
  );
  // A command says that nothing is to change only where it is given something.
  const isNothing = moments.length === 0 && Object.keys(values).length === 0;
  return { ...Object.fromEntries(moments), values: isNothing ? { message: initial.message ?? '' } : values };
}

function readValues(
  lines: FormLines,
  isWanted: (name: FieldName) => boolean,
  toValue: (value: FieldInput, name: FieldName) => FieldInput,
): PlainValues {
  const wanted = plainNames.filter(isWanted);
  return Object.fromEntries(wanted.map((name) => [name, toValue(formOf(name).read(lines), name)]));
}

function readMoments({ at, expires }: FormLines): Pick<Answers, 'at' | 'expires'> {
  return {
    ...(at === undefined ? {} : { at: at.trim() }),
    ...(expires === undefined ? {} : { expires: expires.trim() }),
  };
}

function readId({ id = '' }: FormLines): Pick<Answers, 'id'> {
  return id.trim() === '' ? {} : { id: id.trim() };
}
