import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DraftTexts, readEdit } from '../../announcements/changes/draft.ts';
import { formFieldNames, formOf } from '../../announcements/field-options.ts';
import { type FieldName, fieldOf, type StoredAnnouncement } from '../../announcements/fields.ts';
import { plainNames } from '../../announcements/plain-values.ts';
import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { isSameValue, patchOf } from '../../announcements/values/object-parts.ts';
import { readTranslationLabel } from '../../announcements/values/words-form.ts';
import type { DeskAnnouncement } from '../../contract/desk-types.ts';
import { safeText } from '../../kit/terminal-text.ts';
import { type EditorClock, formatClock } from '../display/announcement-text.ts';
import {
  type CommandIo,
  DeclinedError,
  isInteractive,
  RefusedError,
  UsageError,
} from '../program/command-io.ts';
import { askYesNo, editorOf, openEditor } from '../program/questions.ts';

/** Far more than an announcement in twenty languages takes. */
const maxFileBytes = 1024 * 1024;

/**
 * Opens an announcement as a file in the user's editor, again and again until it is right or the user gives
 * up. The file stays, and is named, whenever what is in it was not made.
 *
 * @param change makes what differs
 */
export async function editAsFile<T>(
  announcement: DeskAnnouncement,
  zone: string,
  io: CommandIo,
  change: (texts: DraftTexts) => Promise<T>,
): Promise<T> {
  const { id, state } = announcement;
  if (state === 'withdrawn') throw new RefusedError(`${id} was withdrawn; undo that to bring it back`);
  const names = formFieldNames.filter(
    (name) => name !== 'id' && (name !== 'published' || state === 'scheduled'),
  );
  const initial = linesOf(announcement, names, zone);
  const editor = editorOf(io);
  const text = fileText(`Announcement ${id}`, names, initial, zone);
  const folder = await mkdtemp(join(tmpdir(), 'typebadge-edit-'));
  const path = join(folder, `${id}.txt`);
  await writeFile(path, text, { mode: 0o600 });
  try {
    for (;;) {
      await openEditor(editor, path);
      const context = { names, initial, before: announcement, zone, now: io.now() };
      const { lines, problems } = readFileLines(await readBack(path), context);
      if (problems.length > 0) {
        await askAgain(problems, io);
        continue;
      }
      const done = await change(readChanges(lines, initial));
      await rm(folder, { recursive: true });
      return done;
    }
  } catch (error) {
    const left = await readFile(path).catch(() => undefined);
    if (left !== undefined && left.toString() !== text) {
      if (error instanceof Error)
        error.message = `${error.message.replace(/\.$/, '')}; your text is kept in ${path}`;
    } else await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface FileContext extends EditorClock {
  /** The fields that can be changed, and their lines. */
  readonly names: readonly FieldName[];
  readonly initial: FormLines;
  readonly before: StoredAnnouncement;
}

/** The lines of a file, and everything that is wrong with them. */
export function readFileLines(
  text: string,
  { names, initial, before, ...clock }: FileContext,
): { lines: FormLines; problems: FileProblem[] } {
  const { lines, places, problems } = parseFile(text, names);
  const read = readEdit(readChanges(lines, initial), before, clock);
  const further = 'problems' in read ? read.problems : [];
  const wrong = names.flatMap((fieldName) => {
    const inputs = formOf(fieldName).inputs(lines);
    const found = inputs.flatMap(({ name, label, problemIn }): FileProblem[] => {
      const problem = problemIn(lines[name] ?? '');
      return problem === undefined ? [] : [{ line: places.get(name), problem: `${label}: ${problem}` }];
    });
    if (found.length > 0) return found;
    // Each line may be right, and all of them together wrong.
    const [first] = inputs;
    const own = [fieldName, first?.name ?? fieldName];
    return further
      .filter(({ field }) => own.includes(field.split('.')[0] ?? ''))
      .map(({ problem, fix }) => ({
        line: places.get(first?.name ?? ''),
        problem: `${first?.label}: ${fix === undefined ? problem : `${problem}; ${fix}`}`,
      }));
  });
  return { lines, problems: [...problems, ...wrong].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
}

/** Returns if the editor is to be opened again. */
async function askAgain(problems: readonly FileProblem[], io: CommandIo): Promise<void> {
  const sentences = problems.map(({ line, problem }) =>
    safeText(`${line === undefined ? '' : `line ${line}: `}${problem}`),
  );
  if (!isInteractive(io)) throw new UsageError(`nothing was changed:\n  ${sentences.join('\n  ')}`);
  io.err.write(`${sentences.join('\n')}\n`);
  if (!(await askYesNo('Open the editor again?', io))) throw new DeclinedError('nothing was changed');
}

async function readBack(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new RefusedError('nothing was changed: the editor removed the file');
  if (found.size > maxFileBytes)
    throw new RefusedError('nothing was changed: the file is longer than any announcement');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch {
    throw new RefusedError('nothing was changed: the file is not UTF-8 text');
  }
}

/** The inputs of these fields, those that every announcement has first. */
function inputsOf(names: readonly FieldName[], lines: FormLines): FormInput[] {
  const inputs = names.flatMap((name) => formOf(name).inputs(lines));
  return [...inputs.filter(({ isExtra }) => !isExtra), ...inputs.filter(({ isExtra }) => isExtra)];
}

/** An announcement as lines, moments as the clock in that zone shows them. */
export function linesOf(
  announcement: StoredAnnouncement,
  names: readonly FieldName[],
  zone: string,
): FormLines {
  const lines = names.map((name) => {
    const value = announcement[name];
    const isInstant = fieldOf(name).kind === 'instant' && value !== undefined;
    return formOf(name).write(isInstant ? formatClock(String(value), zone) : value);
  });
  return Object.assign({}, ...lines);
}

/** What differs between two versions of the lines. */
export function readChanges(lines: FormLines, initial: FormLines): DraftTexts {
  const changed = plainNames.flatMap((name) => {
    const [before, after] = [formOf(name).read(initial), formOf(name).read(lines)];
    if (isSameValue(before, after)) return [];
    return [[name, fieldOf(name).kind === 'nested' ? patchOf(before, after) : after]];
  });
  const moments = ['at', 'expires']
    .map((name) => [name, lines[name]?.trim()] as const)
    .filter(([name, text]) => text !== initial[name]?.trim());
  // A command says that nothing is to change only where it is given something.
  const isNothing = moments.length === 0 && changed.length === 0;
  return {
    ...Object.fromEntries(moments),
    values: isNothing ? { message: initial.message ?? '' } : Object.fromEntries(changed),
  };
}

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

/** An announcement as a text file: a line for each field, `Message: We have moved`, and comments. */
export function fileText(title: string, names: readonly FieldName[], lines: FormLines, zone: string): string {
  const fields = inputsOf(names, lines)
    .filter(({ name }) => name !== impliedLine)
    .flatMap((input) => [...commentLines(input), `${input.label}: ${lines[input.name] ?? ''}`.trimEnd()]);
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

function commentLines({ name, choices, hint, isExtra }: FormInput): string[] {
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
