import type { FieldForm } from './form-input.ts';

/** A value as a field takes it (undefined: the field is left out), with what an editor should know, or what is wrong with it. */
export type Checked<T> =
  | { readonly value: T | undefined; readonly warnings?: readonly string[] }
  | { readonly problem: string };

/** An option of the commands, in commander's notation, what it means, and whether it may be given several times. */
export type FieldOption = readonly [flags: string, meaning: string, repeatable?: 'repeatable'];

/** A value as a file, an option or a form gives it. Null takes the field away; so does false, unless it is a flag. */
export type FieldInput = string | boolean | object | null;

/**
 * How a field is written and shown: `text` and `instant` are strings, a `flag` is true or false, a `nested` field is an object, which is
 * changed part by part. `instant` holds `YYYY-MM-DDTHH:MM:SSZ`, and the commands take it as a date or a span.
 */
export type FieldKind = 'text' | 'instant' | 'flag' | 'nested';

/** Whether a stored announcement must have it. `empty`: it may be missing in a file, and is then the empty text. */
export type Presence = 'required' | 'empty' | 'optional';

export interface Field<T, K extends FieldKind = FieldKind, P extends Presence = Presence> {
  readonly kind: K;
  readonly presence: P;
  /** Its name where people read it; none: the id is in the title. */
  readonly label?: string;
  /** Behind its value where it is shown: what the value means. */
  readonly remark?: string;
  readonly parse: (value: FieldInput) => Checked<T>;
  /** What it is where it is left out: it is not stored then. Default: nothing (of a flag: false). */
  readonly preset?: string | boolean;
  /** What the options of a command say about it; undefined: nothing. Default: the option of its own name. */
  readonly read?: (options: Readonly<Record<string, unknown>>) => unknown;
  /** A nested value on one line. */
  readonly toLine?: (value: T) => string;
  /** How the form and the file of `edit --editor` have it; none: an editor cannot write it there. */
  readonly form?: FieldForm<T>;
  readonly publishOptions?: readonly FieldOption[];
  readonly editOptions?: readonly FieldOption[];
}
