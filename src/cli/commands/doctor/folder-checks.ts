import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkContent } from '../../../server/stores/content/content-check.ts';
import { resolveContentFolder } from '../../../server/stores/files/content/content-folder.ts';
import { createFolderContent } from '../../../server/stores/files/content/folder-content.ts';
import type { Content } from '../../../server/stores/ports.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { type Finding, note, ok, problem, reasonOf } from './finding.ts';

/** Less free space than this is worth a word, in bytes. */
const littleSpace = 256 * 1024 * 1024;

/** The content folder, and whether what is in it can be served. */
export async function checkContentFolder(content: string | undefined, io: CommandIo): Promise<Finding[]> {
  try {
    const { dir, reason, isNew } = await resolveContentFolder({
      ...{ content, env: io.env, cwd: io.cwd, fillsEmpty: false, onlyLooks: true },
    });
    if (isNew) {
      const message = `${dir} (${reason}) will be filled with a sample announcement at the first use.`;
      return [ok('content', message), ...(await checkFolder('content', dir))];
    }
    return [
      ...(await checkFolder('content', dir)),
      ...(await checkTexts(createFolderContent(dir), reason, io.now())),
    ];
  } catch (error) {
    return [problem('content', reasonOf(error), 'Name another folder with --content, or make this one.')];
  }
}

/** @param reason why it is this content that is served */
export async function checkTexts(content: Content, reason: string, now: number): Promise<Finding[]> {
  const { problems, hints, announcements, origins } = await checkContent(content, now);
  const fix = 'Correct it; "typebadge announce validate" shows everything that is wrong.';
  const wrong = problems.map(({ file, line, message }) =>
    problem('content', `${file}${line === undefined ? '' : `:${line}`}: ${message}.`, fix),
  );
  if (wrong.length > 0) return wrong;
  const counts = `${announcements} announcements, ${origins} allowed origins`;
  const more = hints.length === 0 ? '' : ` "typebadge announce validate" has ${hints.length} hints.`;
  return [ok('content', `${content.name} (${reason}) is valid: ${counts}.${more}`)];
}

/** Whether a folder, or the one above that it will be made in, can be written to; whose it is, and what space it has. */
export async function checkFolder(about: string, dir: string): Promise<Finding[]> {
  const existing = findExisting(dir);
  const found = await stat(existing);
  if (!found.isDirectory())
    return [problem(about, `${existing} is not a folder.`, `Remove it, or name another folder.`)];
  const owner = `owner ${found.uid}:${found.gid}, mode ${(found.mode & 0o777).toString(8)}`;
  const isWritable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) {
    const me = process.geteuid?.();
    return [
      problem(
        about,
        `${existing} cannot be written to by this user${me === undefined ? '' : ` (${me})`}: ${owner}.`,
        `Run as its owner, change its rights (chown, chmod), or name another folder.`,
      ),
    ];
  }
  const where = existing === dir ? dir : `${dir} will be made in ${existing}, which`;
  return [ok(about, `${where} can be written to (${owner}).`), ...(await checkSpace(about, existing))];
}

async function checkSpace(about: string, dir: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(dir);
  const free = bavail * bsize;
  const message = `${toSizeText(free)} are free in ${dir}.`;
  if (free >= littleSpace) return [ok(about, message)];
  return [note(about, message, 'Free some space: a full disk can save nothing new.')];
}

function findExisting(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : findExisting(dirname(dir));
}

function toSizeText(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
}
