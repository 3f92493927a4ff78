/**
 * A checked value with warnings for the editor, or what is wrong with it: the problem, and after a semicolon
 * what would be right. `at` is the place within a nested field, such as `de.link`.
 */
export type Parsed<T> =
  | { readonly value: T; readonly warnings?: readonly string[] }
  | { readonly problem: string; readonly at?: string };

/** The same for a field; undefined: it is left out. */
export type Checked<T> = Parsed<T | undefined>;

/** `a, b or c`. */
export function alternatives(choices: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices);
}

/** An option in commander's notation, its meaning, and whether it may be repeated. */
export type FieldOption = readonly [flags: string, meaning: string, repeatable?: 'repeatable'];

/** A value from a file, an option or a form. Null removes the field; so does false, unless it is a flag. */
export type FieldInput = string | boolean | object | null;

/**
 * How a field is written and shown: `text` and `instant` are strings, a `flag` is true or false, a `nested`
 * field is an object that is changed part by part. An `instant` is stored as `YYYY-MM-DDTHH:MM:SSZ`; commands
 * accept dates and spans for it.
 */
export type FieldKind = 'text' | 'instant' | 'flag' | 'nested';

/** Whether a stored announcement must have it. `empty`: if a file lacks it, it is the empty text. */
export type Presence = 'required' | 'empty' | 'optional';

export interface Field<T, K extends FieldKind = FieldKind, P extends Presence = Presence> {
  readonly kind: K;
  readonly presence: P;
  /** Its name for people; missing for the id, which is in the title. */
  readonly label?: string;
  /** Shown after its value: what the value means. */
  readonly remark?: string;
  /** Its meaning in a request of the API, as a sentence; missing: not there, or under another name. */
  readonly meaning?: string;
  readonly parse: (value: FieldInput) => Checked<T>;
  /** The default, which is not stored. Missing: false for a flag; any other may have no value. */
  readonly preset?: T;
  /** All its values; missing: any text. */
  readonly choices?: readonly string[];
  /** Completes a patch of a nested value. Default: leaves it as it is. */
  readonly patch?: (value: object) => object;
  /** Reads it from the options of a command; undefined: not set. Default: the option of the same name. */
  readonly read?: (options: Readonly<Record<string, unknown>>) => unknown;
  /** Writes a nested value on one line. */
  readonly describe?: (value: T) => string;
  /** Of the commands that publish and edit, and of only one of them. */
  readonly options?: readonly FieldOption[];
  readonly publishOptions?: readonly FieldOption[];
  readonly editOptions?: readonly FieldOption[];
}
