/** The contents of a form's lines, by the names of its inputs. */
export type FormLines = Readonly<Record<string, string>>;

/** One line of a form. */
export interface FormInput {
  /** Key of its line in `FormLines`. */
  readonly name: string;
  /** Shown before the line; in a file, the line begins with it. */
  readonly label: string;
  /** Explanation, shown until the line is changed. */
  readonly hint: string;
  /** All allowed values; undefined: any text. */
  readonly choices?: readonly string[];
  /** Whether it is shown only after "more". */
  readonly isExtra: boolean;
  /** What is wrong with a line; undefined if nothing is. */
  readonly problemIn: (text: string) => string | undefined;
}

/**
 * How a form, or the file of `edit --editor`, presents a field: as one line or several. `read` is the inverse
 * of `write`: a value that is written and read again is the same.
 */
export interface FieldForm<T> {
  /** Its inputs, which may depend on the lines so far. */
  readonly inputs: (lines: FormLines) => readonly FormInput[];
  /** The lines of a value; undefined stands for a field that is left out. */
  readonly write: (value: T | undefined) => FormLines;
  /** The whole value as the commands take it; null: the field is left out. */
  readonly read: (lines: FormLines) => string | boolean | object | null;
}

export interface LineOptions {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly choices?: readonly string[];
  readonly isExtra?: boolean;
  readonly problemIn?: (text: string) => string | undefined;
}

/** A field of one line of text; `preset` is its value when it is left out. */
export function newTextForm(options: LineOptions, preset = ''): FieldForm<string> {
  const { name } = options;
  return {
    inputs: () => [newInput(options)],
    write: (value = preset) => ({ [name]: value }),
    read: (lines) => (lines[name] ?? '').trim() || null,
  };
}

/** A field that is true or false, written as yes or no. */
export function newFlagForm(options: LineOptions, preset: boolean): FieldForm<boolean> {
  const { name } = options;
  const choices = preset ? ['yes', 'no'] : ['no', 'yes'];
  return {
    inputs: () => [newInput({ ...options, choices })],
    write: (value = preset) => ({ [name]: value ? 'yes' : 'no' }),
    read: (lines) => ((lines[name] ?? '').trim() === '' ? preset : (lines[name] ?? '').trim() === 'yes'),
  };
}

export function newInput({ choices, isExtra = true, problemIn, ...input }: LineOptions): FormInput {
  const notOne = (text: string) =>
    choices === undefined || text.trim() === '' || choices.includes(text.trim())
      ? undefined
      : `${JSON.stringify(text.slice(0, 40))} is not one of ${choices.join(', ')}`;
  return {
    ...input,
    ...(choices === undefined ? {} : { choices }),
    isExtra,
    problemIn: problemIn ?? notOne,
  };
}

/** Splits a line into the entries of a list, separated by blanks or by commas followed by blanks. */
export function entriesOf(line: string): string[] {
  return line
    .split(/,?\s+|,$/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** The problem that a check found, if any. */
export function problemOf(checked: object): string | undefined {
  return 'problem' in checked ? String(checked.problem) : undefined;
}
