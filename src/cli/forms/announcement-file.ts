import type { FieldName } from '../../announcements/fields.ts';
import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { readTranslationLabel } from '../../announcements/values/words-form.ts';
import { inputsOf } from './announcement-lines.ts';

/** Where something is wrong in the file of an announcement; without a line, it is missing. */
export interface FileProblem {
  readonly line?: number | undefined;
  readonly problem: string;
}

export interface ParsedFile {
  readonly lines: FormLines;
  /** The number of the line of each field, from 1. */
  readonly places: ReadonlyMap<string, number>;
  readonly problems: readonly FileProblem[];
}

/** Which languages there are follows from the other lines. */
const impliedLine = 'languages';

/** An announcement as a text file: a line for each field, `Message: We have moved`, and comments that say how. */
export function toFileText(
  title: string,
  names: readonly FieldName[],
  lines: FormLines,
  zone: string,
): string {
  const fields = inputsOf(names, lines)
    .filter(({ name }) => name !== impliedLine)
    .flatMap((input) => [...toComment(input), `${input.label}: ${lines[input.name] ?? ''}`.trimEnd()]);
  return [
    `# ${title}: edit what you want to change, save, and close the editor. Saved unchanged, it stays as it is.`,
    '# A field is one line; with nothing after its colon it is removed. Lines that begin with # are ignored.',
    '# For another language, add a line such as "Message de: Wir sind umgezogen", and "Link de: …" where the link differs.',
    `# Times are in ${zone}. An end may also be a date, a day such as "friday 18:00", or a span from now, +2w.`,
    '',
    ...fields,
    '',
  ].join('\n');
}

function toComment({ name, choices, hint, isExtra }: FormInput): string[] {
  if (!isExtra || name.includes('.')) return [];
  return [choices === undefined ? `# ${hint}` : `# ${hint}: ${choices.join(', ')}`];
}

/** Reads such a file again. What is not in it is empty. */
export function parseFile(text: string, names: readonly FieldName[]): ParsedFile {
  const known = inputsOf(names, {}).filter(({ name }) => name !== impliedLine);
  const lines = new Map<string, string>(known.map(({ name }) => [name, '']));
  const places = new Map<string, number>();
  const languages = new Set<string>();
  const problems: FileProblem[] = [];
  for (const [at, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (/^\s*(?:#|$)/.test(written)) continue;
    const found = readLine(written, known);
    if ('problem' in found) problems.push({ line: at + 1, problem: found.problem });
    else if (places.has(found.name))
      problems.push({ line: at + 1, problem: `the same field as in line ${places.get(found.name)}` });
    else {
      lines.set(found.name, found.text);
      places.set(found.name, at + 1);
      if (found.language !== undefined && found.text !== '') languages.add(found.language);
    }
  }
  return {
    lines: { ...Object.fromEntries(lines), [impliedLine]: [...languages].join(' ') },
    places,
    problems,
  };
}

function readLine(
  written: string,
  known: readonly FormInput[],
):
  | { readonly name: string; readonly text: string; readonly language?: string }
  | { readonly problem: string } {
  const [, label = '', text = ''] = /^([^:]*):(.*)$/s.exec(written) ?? [];
  const wanted = label.trim().replace(/\s+/g, ' ').toLowerCase();
  if (wanted === '')
    return { problem: 'this is not a field and a colon; write a text on one line, however long it is' };
  const input = known.find((candidate) => candidate.label.toLowerCase() === wanted);
  if (input !== undefined) return { name: input.name, text: text.trim() };
  const translated = readTranslationLabel(wanted);
  if (translated !== undefined) return { ...translated, text: text.trim() };
  const labels = known.map((candidate) => candidate.label).join(', ');
  return {
    problem: `there is no field ${JSON.stringify(label.trim().slice(0, 40))}; there are ${labels}, and for a language Message de, Link de, Link label de`,
  };
}
