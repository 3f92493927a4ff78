import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type DraftTexts, readEdit } from '../../announcements/changes/draft.ts';
import { fieldOf, presetOf } from '../../announcements/fields.ts';
import { plainNames } from '../../announcements/plain-values.ts';
import { isJsonObject, isSameValue, patchOf } from '../../announcements/values/object-parts.ts';
import { type DeskAnnouncement, EditRequestSchema } from '../../contract/desk-types.ts';
import { readRegularFile } from '../../kit/files/regular-file.ts';
import { safeText } from '../../kit/terminal-text.ts';
import { createLineFinder, type FileProblem, parseJsonFile } from '../../server/stores/content/json-file.ts';
import { type EditorClock, formatClock } from '../display/announcement-text.ts';
import {
  type CommandIo,
  DeclinedError,
  isInteractive,
  RefusedError,
  UsageError,
} from '../program/command-io.ts';
import { askYesNo, editorOf, openEditor } from '../program/questions.ts';

/**
 * Opens an announcement as a file in the user's editor, again and again until it is right or the user gives
 * up. If the changes in it were not made, the file is kept, and the error names it.
 *
 * @param change makes the changes
 */
export async function editAsFile<T>(
  announcement: DeskAnnouncement,
  zone: string,
  io: CommandIo,
  change: (texts: DraftTexts) => Promise<T>,
): Promise<T> {
  const { id, state } = announcement;
  if (state === 'withdrawn')
    throw new RefusedError(`announcement ${id} was withdrawn; undo that to bring it back`);
  const editor = editorOf(io);
  const text = fileText(announcement, zone);
  const folder = await mkdtemp(join(tmpdir(), 'typebadge-edit-'));
  const path = join(folder, `${id}.json`);
  await writeFile(path, text, { mode: 0o600 });
  try {
    for (;;) {
      await openEditor(editor, path);
      const read = readEditedFile(await readBack(path), announcement, { zone, now: io.now() });
      if ('problems' in read) {
        await askAgain(read.problems, io);
        continue;
      }
      const done = await change(read.changes);
      await rm(folder, { recursive: true });
      return done;
    }
  } catch (error) {
    const left = await readRegularFile(path).catch(() => undefined);
    if (left !== undefined && left.toString() !== text) {
      if (error instanceof Error)
        error.message = `${error.message.replace(/\.$/, '')}; your text is kept in ${path}`;
    } else await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Returns if the editor is to be opened again. */
async function askAgain(problems: readonly FileProblem[], io: CommandIo): Promise<void> {
  const sentences = problems.map(({ line, message }) =>
    safeText(`${line === undefined ? '' : `line ${line}: `}${message}`),
  );
  if (!isInteractive(io)) throw new UsageError(`nothing was changed:\n  ${sentences.join('\n  ')}`);
  io.err.write(`${sentences.join('\n')}\n`);
  if (!(await askYesNo('Open the editor again?', io))) throw new DeclinedError('nothing was changed');
}

async function readBack(path: string): Promise<string> {
  const bytes = await readRegularFile(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    const problem = code === 'ENOENT' ? 'the editor removed the file' : `the file cannot be read: ${message}`;
    throw new RefusedError(`nothing was changed: ${problem}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new RefusedError('nothing was changed: the file is not UTF-8 text');
  }
}

type Values = Readonly<Record<string, unknown>>;

/** An announcement in the form of an edit of the API, with every field that can be changed. */
function fileValues(announcement: DeskAnnouncement, zone: string): Values {
  const { state, published, expires, translations = {} } = announcement;
  const plain = plainNames.map((name) => [name, announcement[name] ?? presetOf(name)] as const);
  const words = Object.entries(translations).map(([tag, each]) => [tag, withOneSpelling({ ...each })]);
  return {
    ...withOneSpelling(Object.fromEntries(plain)),
    ...(state === 'scheduled' && { at: formatClock(published, zone) }),
    expires: formatClock(expires, zone),
    translations: Object.fromEntries(words),
    audience: { sites: [], paths: [], ...announcement.audience },
  };
}

/** The message, or its source if it is formatted, and not both. */
function withOneSpelling({ message, markdown, ...rest }: Values): Values {
  return { ...(markdown == null ? { message } : { markdown }), ...rest };
}

/** For the head of the file: the choices of each field that has some. */
const choiceLines = plainNames.flatMap((name) => {
  const { choices } = fieldOf(name);
  return choices === undefined ? [] : [`# "${name}" is one of ${choices.join(', ')}.\n`];
});

export function fileText(announcement: DeskAnnouncement, zone: string): string {
  return `# Announcement ${announcement.id}: change what you want, save, and close the editor. Saved unchanged, it stays as it is.
# Lines that begin with # are ignored. A field that is null or left out is removed.
# With "markdown" instead of "message", the words may hold **strong**, *emphasis*, \`code\` and [words](https://…).
# Another language: "translations": { "de": { "message": "Wir sind umgezogen", "link": "https://…", "linkLabel": "…" } }
${choiceLines.join('')}# Sites and pages: such as "https://*.example.org" and "/docs/*".
# Times are in ${zone}. An end may also be a date, "tomorrow 18:00", or a span from now, "+2w".
${JSON.stringify(fileValues(announcement, zone), null, 2)}
`;
}

/** What an edited file changes, or everything that is wrong with it. */
export function readEditedFile(
  written: string,
  before: DeskAnnouncement,
  clock: EditorClock,
): { readonly changes: DraftTexts } | { readonly problems: readonly FileProblem[] } {
  const file = parseJsonFile(written.replace(/(^|\n)[\uFEFF \t]*#[^\n]*/g, '$1'));
  if ('problems' in file) return file;
  const { value } = file;
  if (!isJsonObject(value)) return { problems: [{ message: 'the file is not an object { … }' }] };
  const initial = fileValues(before, clock.zone);
  const known = ['message', 'markdown', ...Object.keys(initial).filter((name) => !isMessage(name))];
  const problemAt = (field: string, message: string): FileProblem => ({
    line: createLineFinder(file.plain)(field.split('.')),
    message: `${field}: ${message}`,
  });
  const changed = changesBetween(initial, value, known);
  const { issues = [] } = v.safeParse(EditRequestSchema, changed);
  const problems = [
    ...Object.keys(value)
      .filter((name) => !known.includes(name))
      .map((name) => problemAt(name, `there is no such field; there are ${known.join(', ')}`)),
    ...issues.map((issue) => problemAt(v.getDotPath(issue) ?? '', issue.message)),
  ];
  if (problems.length > 0) return { problems };
  const { at, expires, ...values } = changed as Record<string, string>;
  // An edit without any field is refused; one with the same message reports that nothing changes.
  const isSame = Object.keys(changed).length === 0;
  const changes = { at, expires, values: isSame ? { message: before.message } : values };
  const read = readEdit(changes, before, clock);
  if ('value' in read) return { changes };
  return {
    problems: read.problems.map(({ field, problem, fix = '' }) =>
      problemAt(field, [problem, fix].filter(Boolean).join('; ')),
    ),
  };
}

const isMessage = (name: string) => name === 'message' || name === 'markdown';

/** What differs, as the body of an edit: of nested fields, the parts that do. */
function changesBetween(initial: Values, value: Values, known: readonly string[]): Values {
  const changed = known.flatMap((name) => {
    const isMoment = name === 'at' || name === 'expires';
    const [old, given] = [initial[name] ?? null, value[name] ?? (isMoment ? '' : null)];
    return isSameValue(old, given) ? [] : [[name, isJsonObject(old) ? patchOf(old, given) : given]];
  });
  const { message, ...rest } = Object.fromEntries(changed);
  // A formatted message replaces the plain one by itself.
  return message === undefined || typeof rest.markdown === 'string' ? rest : { message, ...rest };
}
