import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FieldName } from '../../announcements/fields.ts';
import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { readTranslationLabel } from '../../announcements/values/words-form.ts';
import { safeText } from '../../kit/terminal-text.ts';
import type { AnnouncementJson } from '../display/announcement-text.ts';
import {
  type CommandIo,
  DeclinedError,
  isInteractive,
  RefusedError,
  UsageError,
} from '../program/command-io.ts';
import { askYesNo, editorOf, openEditor } from '../program/questions.ts';
import {
  type Asked,
  editable,
  inputsOf,
  type LineContext,
  readChanges,
  reportLines,
  withReminder,
} from './announcement-lines.ts';

/** Far more than an announcement in twenty languages takes. */
const maxFileBytes = 1024 * 1024;

/**
 * Opens an announcement as a file in the user's editor, again and again until it is right or the user gives
 * up; resolves to what was changed. The file stays, and is named, whenever what is in it was not made.
 */
export async function editAsFile(
  announcement: AnnouncementJson,
  zone: string,
  io: CommandIo,
): Promise<Asked> {
  const { id } = announcement;
  const { names, begun, initial } = editable(announcement, zone);
  const editor = editorOf(io);
  const text = fileText(`Announcement ${id}`, names, initial, zone);
  const folder = await mkdtemp(join(tmpdir(), 'typebadge-edit-'));
  const path = join(folder, `${id}.txt`);
  await writeFile(path, text, { mode: 0o600 });
  const forget = () => rm(folder, { recursive: true, force: true });
  for (;;) {
    await openEditor(editor, path).catch(async (error: Error) => {
      if ((await readBack(path).catch(() => '')) !== text) throw withPlace(error, path);
      await forget();
      throw error;
    });
    const written = await readBack(path);
    if (written === text) {
      await forget();
      return { answers: readChanges(initial, initial), remindOnFailure: (work) => work };
    }
    const { lines, problems } = readFileLines(written, { zone, now: io.now(), names, begun, initial });
    if (problems.length === 0) {
      const remindOnFailure = async <T>(work: Promise<T>) => {
        const done = await withReminder(work, `; your text is kept in ${path}`);
        await forget();
        return done;
      };
      return { answers: readChanges(lines, initial), remindOnFailure };
    }
    await askAgain(problems, path, io);
  }
}

/** The lines of a file, and everything that is wrong with them. */
function readFileLines(text: string, context: LineContext): { lines: FormLines; problems: FileProblem[] } {
  const { lines, places, problems } = parseFile(text, context.names);
  const report = reportLines(lines, context);
  const wrong = inputsOf(context.names, lines).flatMap(({ name, label }): FileProblem[] => {
    const problem = report[name]?.problem;
    return problem === undefined ? [] : [{ line: places.get(name), problem: `${label}: ${problem}` }];
  });
  const placed = [...problems, ...wrong].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { lines, problems: placed };
}

/** Whether to open the editor again; throws where nobody can be asked, or says no. */
async function askAgain(problems: readonly FileProblem[], path: string, io: CommandIo): Promise<void> {
  const sentences = problems.map(({ line, problem }) =>
    safeText(`${line === undefined ? '' : `line ${line}: `}${problem}`),
  );
  if (!isInteractive(io))
    throw new UsageError(`nothing was changed; your text is kept in ${path}:\n  ${sentences.join('\n  ')}`);
  io.err.write(`${sentences.join('\n')}\n`);
  if (await askYesNo('Open the editor again?', io)) return;
  throw new DeclinedError(`nothing was changed; your text is kept in ${path}`);
}

function withPlace(error: Error, path: string): Error {
  return error instanceof RefusedError
    ? new RefusedError(`${error.message}; your text is kept in ${path}`)
    : error;
}

async function readBack(path: string): Promise<string> {
  const { size } = await stat(path).catch(async () => {
    await rm(dirname(path), { recursive: true, force: true });
    throw new RefusedError('nothing was changed: the editor removed the file');
  });
  if (size > maxFileBytes)
    throw new RefusedError(`nothing was changed: ${path} is longer than any announcement`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch {
    throw new RefusedError(`nothing was changed: ${path} is not UTF-8 text; your text is kept there`);
  }
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
