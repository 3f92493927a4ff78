/** What is in the lines of a form, by the names of its inputs. */
export type FormLines = Readonly<Record<string, string>>;

/** One line of a form. */
export interface FormInput {
  /** Under which its line is kept. */
  readonly name: string;
  /** What people read before it; in a file, what the line begins with. */
  readonly label: string;
  /** What it means, said while it is as it was at first. */
  readonly hint: string;
  /** All that it can be; undefined: any text. */
  readonly choices?: readonly string[];
  /** Whether it is asked for only after "more". */
  readonly isExtra: boolean;
  /** What is wrong with a line; undefined: nothing. */
  readonly problemIn: (text: string) => string | undefined;
}

/**
 * How a form, or a file for an editor, has a field: as one line or several. `write` and `read` are inverse: what `read` makes of what `write`
 * wrote is the same value.
 */
export interface FieldForm<T> {
  /** Its inputs, which may depend on what is written so far. */
  readonly inputs: (lines: FormLines) => readonly FormInput[];
  /** The lines of a value; undefined: of a field that is left out. */
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

/** A field of one line of text; `preset` is what it is where it is left out. */
export function newTextForm(options: LineOptions, preset = ''): FieldForm<string> {
  const { name } = options;
  return {
    inputs: () => [newInput(options)],
    write: (value = preset) => ({ [name]: value }),
    read: (lines) => (lines[name] ?? '').trim() || null,
  };
}

/** A field that is true or false, as yes or no. */
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
      : `${JSON.stringify(text.slice(0, 40))} is none of ${choices.join(', ')}`;
  return {
    ...input,
    ...(choices === undefined ? {} : { choices }),
    isExtra,
    problemIn: problemIn ?? notOne,
  };
}

/** Entries of a list on one line: blanks, or commas before blanks, are between them. */
export function toEntries(line: string): string[] {
  return line
    .split(/,?\s+|,$/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** The problem of a check, for one line. */
export function problemOf(checked: object): string | undefined {
  return 'problem' in checked ? String(checked.problem) : undefined;
}
