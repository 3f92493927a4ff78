import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FormLines } from '../../announcements/values/form-input.ts';
import { safeText } from '../../kit/terminal-text.ts';
import type { AnnouncementJson } from '../display/announcement-json.ts';
import { DeclinedError, RefusedError, UsageError } from '../program/command-errors.ts';
import { type CommandIo, isInteractive } from '../program/command-io.ts';
import { askYesNo } from '../program/question.ts';
import { editorOf, openEditor } from '../program/text-editor.ts';
import { type FileProblem, parseFile, toFileText } from './announcement-file.ts';
import { editable, inputsOf, readChanges } from './announcement-lines.ts';
import { type Asked, withReminder } from './kept-typing.ts';
import { type LineContext, reportLines } from './line-report.ts';

/** Far more than an announcement in twenty languages. */
const maxFileBytes = 1024 * 1024;

/**
 * Opens an announcement as a file in the user's editor, again and again until it is right or the user gives up; resolves to what was
 * changed. The file stays, and is named, whenever what is in it was not made.
 */
export async function editAsFile(
  announcement: AnnouncementJson,
  zone: string,
  io: CommandIo,
): Promise<Asked> {
  const { id } = announcement;
  const { names, begun, initial } = editable(announcement, zone);
  const editor = editorOf(io);
  const text = toFileText(`Announcement ${id}`, names, initial, zone);
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
      return { answers: readChanges(initial, initial), keepTyped: (work) => work };
    }
    const { lines, problems } = readFileLines(written, { zone, now: io.now(), names, begun, initial });
    if (problems.length === 0) {
      const keepTyped = async <T>(work: Promise<T>) => {
        const done = await withReminder(work, `; your text is kept in ${path}`);
        await forget();
        return done;
      };
      return { answers: readChanges(lines, initial), keepTyped };
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
