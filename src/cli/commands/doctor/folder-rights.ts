import { constants, existsSync } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Finding, note, ok, problem } from './finding.ts';

/** Bytes of free space below which there is a note, and below which no server starts. */
const littleSpace = 256 * 1024 * 1024;
const noSpace = 1024 * 1024;
/** Entries of a folder that are looked at: damage by a wrong user shows in the first ones. */
const mostEntries = 1_000;

/** What a folder is for, such as `data`, and whether a server only reads it. */
export interface FolderUse {
  readonly about: string;
  readonly isOnlyRead?: boolean;
}

/** Whether a folder, or the one above that it will be made in, can be written to; whose it is, and what space it has. */
export async function checkFolder(use: FolderUse, dir: string): Promise<Finding[]> {
  const { about } = use;
  const existing = findExisting(dir);
  const found = await stat(existing);
  if (!found.isDirectory())
    return [problem(about, `${existing} is not a folder.`, `Remove it, or name another folder.`)];
  const code = await refusalOf(existing, constants.W_OK | constants.X_OK);
  if (code !== undefined) return [await toRefusal(use, existing, code)];
  const where = existing === dir ? dir : `${dir} will be made in ${existing}, which`;
  return [
    ok(about, `${where} can be written to (${await ownerOf(existing)}).`),
    ...(existing === dir ? await checkEntries(about, dir) : []),
    ...checkRoot(about, existing, found.uid),
    ...(await checkSpace(about, existing)),
  ];
}

async function toRefusal(
  { about, isOnlyRead = false }: FolderUse,
  dir: string,
  code: string,
): Promise<Finding> {
  const report = isOnlyRead ? note : problem;
  const purpose = isOnlyRead ? ' It is served, but nobody can publish.' : '';
  if (code === 'EROFS') {
    const message = `${dir} is on a read-only file system.${purpose}`;
    return report(about, message, 'Mount it so that it can be written to, or name another folder.');
  }
  return report(
    about,
    `${dir} cannot be written to by ${thisUser()}: ${await ownerOf(dir)}.${purpose}`,
    'Run as its owner, change its rights (chown, chmod), or name another folder.',
  );
}

/** What a command that ran as another user has left, usually root. */
async function checkEntries(about: string, dir: string): Promise<Finding[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const refused: string[] = [];
  for (const entry of entries.slice(0, mostEntries)) {
    const needed = entry.isDirectory() ? constants.W_OK | constants.X_OK : constants.R_OK | constants.W_OK;
    if ((await refusalOf(join(dir, entry.name), needed)) === 'EACCES') refused.push(entry.name);
  }
  const [first] = refused;
  if (first === undefined) return [];
  const example = `${first} (${await ownerOf(join(dir, first))})`;
  const message = `In ${dir}, ${thisUser()} may not write to ${refused.length === 1 ? '' : `${refused.length} entries, such as `}${example}.`;
  return [problem(about, message, `Give them to the user of the server: chown -R USER ${dir}`)];
}

/** Root may do everything, which says nothing about the user that the server will run as. */
function checkRoot(about: string, dir: string, owner: number): Finding[] {
  if (process.geteuid?.() !== 0 || owner === 0) return [];
  const message = `You are root, and ${dir} belongs to user ${owner}: this says nothing about that user’s rights.`;
  return [note(about, message, 'Run doctor as the user that the server runs as (sudo -u USER).')];
}

async function checkSpace(about: string, dir: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(dir);
  const free = bavail * bsize;
  const message = `${toSizeText(free)} free in ${dir}.`;
  if (free >= littleSpace) return [ok(about, message)];
  const fix = 'Free some space: a full disk can save nothing new.';
  return [free < noSpace ? problem(about, `The disk is full: ${message}`, fix) : note(about, message, fix)];
}

/** The system's error code; undefined where this user may. */
function refusalOf(path: string, mode: number): Promise<string | undefined> {
  return access(path, mode).then(
    () => undefined,
    ({ code = 'unknown' }: NodeJS.ErrnoException) => code,
  );
}

async function ownerOf(path: string): Promise<string> {
  const { uid, gid, mode } = await stat(path);
  return `owner ${uid}:${gid}, mode ${(mode & 0o777).toString(8)}`;
}

function thisUser(): string {
  const me = process.geteuid?.();
  return `this user${me === undefined ? '' : ` (${me})`}`;
}

function findExisting(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : findExisting(dirname(dir));
}

function toSizeText(bytes: number): string {
  if (bytes >= 2 ** 30) return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  if (bytes >= 2 ** 20) return `${Math.round(bytes / 2 ** 20)} MiB`;
  return `${Math.round(bytes / 2 ** 10)} KiB`;
}
