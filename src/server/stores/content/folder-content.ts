import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Change } from '../../../announcements/announcement.ts';
import { replaceFile, sweepDraftsOf } from '../../../kit/files/atomic-file.ts';
import { writeProblem } from '../../../kit/files/file-problem.ts';
import { LockError, type LockOptions, withFolderLock } from '../../../kit/files/folder-lock.ts';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { type Content, ContentError, type ContentName, type ContentText, createContent } from './content.ts';
import { damagedLogHint, isOversize, maxHistory, oversizeProblem } from './history-file.ts';
import { announcementSchema } from './history-schema.ts';
import { withoutMark } from './json-file.ts';

/**
 * The files of a content folder, changed under a lock. Rejects with a ContentError; nothing has changed then.
 *
 * A change of the announcements replaces two files. First `changes.jsonl` gets its line, without a line
 * break; then `history.json` is replaced; then the line break follows. If a process dies in between, the last
 * line has no line break, and counts if `history.json` contains its change.
 */
export function createFolderContent(dir: string, options: LockOptions = {}): Content {
  const nameOf = (name: ContentName | 'changes.jsonl') => join(dir, name);
  const logPath = nameOf('changes.jsonl');
  const replace = (path: string, text: string, confirm?: () => Promise<void>) =>
    replaceFile(path, text, { isPrivate: path === nameOf('editors.json'), ...(confirm && { confirm }) });
  const versionOfName = (name: ContentName) =>
    name === 'history.json' ? versionOfHistory(nameOf(name), logPath) : versionOf(nameOf(name));
  return createContent({
    kind: 'folder',
    name: dir,
    nameOf,
    async read(name) {
      if (name === 'history.json') return readHistory(nameOf(name), logPath);
      // Read before the text: if the file changes in between, the next check sees another version.
      const version = await versionOfName(name);
      const text = await readText(nameOf(name));
      return text === undefined ? undefined : { version, text, log: '' };
    },
    async write(name, before, text, added) {
      const path = nameOf(name);
      /** Whether somebody has edited the file by hand, without the lock. */
      let isEdited = false;
      const write = async (isOurs: () => Promise<void>) => {
        for (const each of [path, logPath]) await sweepDraftsOf(each);
        const version = await versionOf(path);
        if ((await versionOfName(name)) !== (before?.version ?? '')) return false;
        // Without announcements, the log was not read: what is left in it does not count.
        const isLeft = name === 'history.json' && before === undefined && (await versionOf(logPath)) !== '';
        const hasLog = added !== '' || isLeft;
        const log = (before?.log ?? '') + added;
        if (hasLog) await replace(logPath, log.trimEnd());
        await replace(path, text, async () => {
          await isOurs();
          isEdited = (await versionOf(path)) !== version;
          if (isEdited) throw new Error(); // the file stays
        });
        // If this fails, the line counts all the same, because the announcements contain the change.
        if (hasLog) await replace(logPath, log).catch(() => undefined);
        return true;
      };
      try {
        return await withFolderLock(dir, write, options);
      } catch (error) {
        if (isEdited) return false;
        throw contentError(error, path);
      }
    },
    /** Their log is still there, and would be overwritten. A first change that was cut short has no line break. */
    hasLost: async () => (await readBytes(logPath))?.includes('\n') === true,
    async sayLost() {},
    versionOf: versionOfName,
  });
}

/** Maximum number of attempts to read both files between two changes. */
const maxAttempts = 20;

/** Every change begins and ends with a write to the log: if it has not changed, both files are consistent. */
async function readHistory(path: string, logPath: string): Promise<ContentText | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const version = await versionOfHistory(path, logPath);
    const logVersion = await versionOf(logPath);
    const log = (await readText(logPath, damagedLogHint)) ?? '';
    const text = await readText(path);
    if (attempt < maxAttempts && (await versionOf(logPath)) !== logVersion) continue;
    if (text === undefined) return undefined;
    if (isOversize(text, log)) throw new ContentError(oversizeProblem, path);
    const end = log.lastIndexOf('\n') + 1;
    return { version, text, log: log.slice(0, end) + countedLine(log.slice(end), text) };
  }
}

/** A line without line break, whole if `history.json`, perhaps edited by hand since, contains its change. */
function countedLine(line: string, history: string): string {
  try {
    const { id, before, after } = JSON.parse(line) as Change;
    const { announcements } = JSON.parse(withoutMark(history));
    const found = announcements.find((entry: { id?: unknown }) => entry.id === id);
    const entry = found === undefined ? null : v.parse(announcementSchema, found);
    return isDeepStrictEqual(entry, after) || !isDeepStrictEqual(entry, before) ? `${line}\n` : '';
  } catch {
    return '';
  }
}

/**
 * A version from the metadata of a file, `''` if there is none. Polling beats watching here: notifications get
 * lost on network and container file systems, and they treat a replaced file as a new one.
 */
async function versionOf(path: string): Promise<string> {
  const file = await stat(path, { bigint: true }).catch(() => undefined);
  return file === undefined ? '' : `${file.ino}:${file.size}:${file.mtimeNs}:${file.ctimeNs}`;
}

async function versionOfHistory(path: string, logPath: string): Promise<string> {
  const [version, log] = await Promise.all([versionOf(path), versionOf(logPath)]);
  return version && `${version} ${log}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Rejects if it is not UTF-8: the next change would write U+FFFD for what cannot be read. */
async function readText(path: string, hint = ''): Promise<string | undefined> {
  const bytes = await readBytes(path);
  try {
    return bytes && utf8.decode(bytes);
  } catch {
    throw new ContentError(`${path} cannot be read: it is not UTF-8 text${hint}`, path);
  }
}

async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    return await readRegularFile(path, maxHistory);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A link to an unmounted disk must not count as a missing file: the next change would replace the link.
    const isLink = code === 'ENOENT' && (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
    if (code === 'ENOENT' && !isLink) return undefined;
    const reason = isLink ? 'it is a symbolic link that leads nowhere' : message;
    throw new ContentError(`${path} cannot be read: ${reason}`, path);
  }
}

function contentError(error: unknown, path: string): ContentError {
  if (error instanceof LockError) return new ContentError(`${error.message}. Nothing was changed: try again`);
  return new ContentError(`${path} cannot be written: ${writeProblem(error)}. Nothing was changed`, path);
}
