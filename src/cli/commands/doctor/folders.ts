import { constants, existsSync } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkEditors } from '../../../server/desk/editors/editors-document.ts';
import type { Content } from '../../../server/stores/content/content.ts';
import { checkContent } from '../../../server/stores/content/content-check.ts';
import { resolveContentFolder } from '../../../server/stores/content/content-folder.ts';
import { createFolderContent } from '../../../server/stores/content/folder-content.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { type Finding, note, ok, problem, reasonOf } from './finding.ts';

/** Bytes of free space below which there is a note, and below which no server starts. */
const littleSpace = 256 * 1024 * 1024;
const noSpace = 1024 * 1024;
/** Entries of a folder that are looked at: what a command that ran as root has left is among the first ones. */
const maxEntries = 1_000;

export interface ContentFolderOptions {
  /** The folder of `--content`; undefined: one is found. */
  readonly content: string | undefined;
  /** Whether a store has the content, so that the folder does not matter. */
  readonly isInStore: boolean;
  /** Whether it is worth a note that no site is on the allow-list. */
  readonly needsOrigins: boolean;
}

export async function checkContentFolder(
  { content, isInStore, needsOrigins }: ContentFolderOptions,
  io: CommandIo,
): Promise<Finding[]> {
  try {
    const { dir, reason, isNew } = await resolveContentFolder({
      ...{ content, env: io.env, cwd: io.cwd, fillsEmpty: true, onlyLooks: true },
    });
    if (isInStore) return [ok('content', `${dir} (${reason}) is not read: the store has the content.`)];
    if (!isNew)
      return [
        ...(await checkFolder('content', dir, 'read')),
        ...(await checkTexts(createFolderContent(dir), { reason, now: io.now(), needsOrigins })),
      ];
    const message = `${dir} (${reason}) is missing or empty: the first start fills it with a sample announcement.`;
    return [ok('content', message), ...(await checkFolder('content', dir))];
  } catch (error) {
    return [problem('content', reasonOf(error), 'Name another folder with --content, or make this one.')];
  }
}

export interface TextsOptions extends Pick<ContentFolderOptions, 'needsOrigins'> {
  /** Why it is this content that is served. */
  readonly reason: string;
  readonly now: number;
}

export async function checkTexts(
  content: Content,
  { reason, now, needsOrigins }: TextsOptions,
): Promise<Finding[]> {
  const { problems, hints, announcements, origins } = await checkContent(content, now);
  const fix = 'Correct it; "typebadge announce validate" shows everything that is wrong.';
  const wrong = [...problems, ...(await checkEditors(content)).problems];
  if (wrong.length > 0)
    return wrong.map(({ file, line, message }) =>
      problem('content', `${file}${line === undefined ? '' : `:${line}`}: ${message}.`, fix),
    );
  const counts = `${count(announcements, 'announcement')}, ${count(origins, 'allowed origin')}`;
  const hint = hints.length === 0 ? '' : ` "typebadge announce validate" has ${count(hints.length, 'hint')}.`;
  const allow = 'Allow one: typebadge origins add https://www.example.org';
  return [
    ok('content', `${content.name} (${reason}) is valid: ${counts}.${hint}`),
    ...(needsOrigins && origins === 0
      ? [note('content', 'No other site may show the announcements.', allow)]
      : []),
  ];
}

/**
 * Whether a folder, or the one above in which it will be made, can be written to, and what space it has.
 *
 * @param use whether a server only reads it
 */
export async function checkFolder(about: string, dir: string, use?: 'read'): Promise<Finding[]> {
  const existing = existingAbove(dir);
  if (!(await stat(existing)).isDirectory())
    return [problem(about, `${existing} is not a folder.`, 'Remove it, or name another folder.')];
  if (!(await isWritable(existing, constants.W_OK | constants.X_OK))) {
    const loss = use === 'read' ? ' It is served, but nobody can publish.' : '';
    const message = `${existing} cannot be written to by ${thisUser()}: ${await ownerOf(existing)}.${loss}`;
    const fix = 'Run as its owner, change its rights (chown, chmod), or name another folder.';
    return [(use === 'read' ? note : problem)(about, message, fix)];
  }
  const where = existing === dir ? dir : `${dir} will be made in ${existing}, which`;
  return [
    ok(about, `${where} can be written to (${await ownerOf(existing)}).`),
    ...(existing === dir ? await checkEntries(about, dir) : []),
    await checkSpace(about, existing),
  ];
}

async function checkEntries(about: string, dir: string): Promise<Finding[]> {
  const refused: string[] = [];
  for (const entry of (await readdir(dir, { withFileTypes: true })).slice(0, maxEntries)) {
    const needed = constants.W_OK | (entry.isDirectory() ? constants.X_OK : constants.R_OK);
    if (!(await isWritable(join(dir, entry.name), needed))) refused.push(entry.name);
  }
  const [first] = refused;
  if (first === undefined) return [];
  const example = `${first} (${await ownerOf(join(dir, first))})`;
  const which = refused.length === 1 ? example : `${refused.length} entries, such as ${example}`;
  const message = `In ${dir}, ${thisUser()} may not write to ${which}.`;
  return [problem(about, message, `Give them to the user of the server: chown -R USER ${dir}`)];
}

async function checkSpace(about: string, dir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dir);
  const free = bavail * bsize;
  const message = `${sizeText(free)} free in ${dir}.`;
  if (free >= littleSpace) return ok(about, message);
  const fix = 'Free some space: a full disk can save nothing new.';
  return free < noSpace ? problem(about, `The disk is full: ${message}`, fix) : note(about, message, fix);
}

function isWritable(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
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

function existingAbove(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : existingAbove(dirname(dir));
}

function sizeText(bytes: number): string {
  if (bytes >= 2 ** 30) return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  return bytes >= 2 ** 20 ? `${Math.round(bytes / 2 ** 20)} MiB` : `${Math.round(bytes / 2 ** 10)} KiB`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
