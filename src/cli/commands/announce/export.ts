import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import * as v from 'valibot';
import { replaceFile, sweepDraftsOf } from '../../../kit/files/atomic-file.ts';
import { makeFolder } from '../../../kit/files/folder.ts';
import { readRegularFile } from '../../../kit/files/regular-file.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { type PublicFile, readPublicTree } from '../../../server/badge/public-tree.ts';
import { newServeConfig } from '../../../server/settings/config.ts';
import { parseBrand, parsePublicUrl } from '../../../server/settings/config-parsers.ts';
import { createLog } from '../../../server/settings/log.ts';
import { ContentError } from '../../../server/stores/content/content.ts';
import { createContentStore } from '../../../server/stores/content/content-store.ts';
import { dataFolderOf } from '../../desk/local-desk.ts';
import { openTexts } from '../../desk/open-desk.ts';
import { parseGiven, RefusedError } from '../../program/command-io.ts';
import type { DeskCommand, Texts } from '../../program/subcommand.ts';

type ExportOptions = Texts<'brand' | 'publicUrl' | 'logo'> & { readonly anyOrigin?: boolean };

const defaultUrl = 'http://127.0.0.1:8787';

/** Writes everything that the server would answer now as files for a static host. */
export const exportTree: DeskCommand<ExportOptions> = async ([folder = ''], options, io) => {
  const content = await openTexts(options, io);
  const url = options.publicUrl ?? io.env.TYPEBADGE_PUBLIC_URL;
  const publicUrl = url ? parseGiven(parsePublicUrl, url) : undefined;
  const name = options.brand ?? io.env.TYPEBADGE_BRAND;
  const logo = options.logo ?? io.env.TYPEBADGE_LOGO;
  const config = newServeConfig({
    ...(name ? { brand: parseGiven(parseBrand, name) } : {}),
    logo: logo ? resolve(io.cwd, logo) : undefined,
  });
  const log = createLog({ format: 'pretty', write: (line) => io.err.write(line) });
  const baseUrl = publicUrl ?? defaultUrl;
  const tree = await readPublicTree({ config, content, baseUrl, log, now: io.now });
  // A headers file cannot name several origins.
  const patterns = await createContentStore(content).readOrigins();
  const [only] = patterns.length === 1 ? patterns.filter(({ subdomains }) => !subdomains) : [];
  const origin = options.anyOrigin ? '*' : only?.entry;
  const files = exportedFiles(tree, origin);
  const target = resolve(io.cwd, folder);
  await writeExport(target, files, {
    ...(content.kind === 'folder' && { 'the content folder': content.name }),
    'the data folder': dataFolderOf(io),
  });
  const written = [...files].map(([name, { length: bytes }]) => ({ name, bytes }));
  const size = Math.ceil(written.reduce((sum, { bytes }) => sum + bytes, 0) / 1024);
  const warnings: string[] = [];
  if (publicUrl === undefined)
    warnings.push(`feeds and the demo page contain ${defaultUrl}; set the public URL with --public-url`);
  if (origin === undefined)
    warnings.push(
      'no other site can read these files, because a headers file cannot distinguish several origins; --any-origin allows every site',
    );
  return {
    value: { folder: target, files: written, allowOrigin: origin ?? null, warnings },
    warnings,
    text: (paint) =>
      [
        ...[...files.keys()].filter((name) => !/\.(?:br|gz)$/.test(name)).map((name) => `  ${name}`),
        `${paint.good('✔')} ${files.size} files (${size} KiB, compressed ones included) in ${safeText(target)}`,
      ].join('\n'),
  };
};

/** The public files: pages as `.html`, compressed copies, and `_headers` for Netlify and Cloudflare. */
function exportedFiles(tree: readonly PublicFile[], allowOrigin: string | undefined): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const file of tree)
    for (const [ending, body] of Object.entries({ '': file.identity, '.br': file.br, '.gz': file.gzip }))
      if (body !== undefined) files.set(fileNameOf(file) + ending, body);
  return files.set('_headers', Buffer.from(tree.map((file) => headersOf(file, allowOrigin)).join('\n')));
}

/** A static host answers `/demo` with `demo.html`, and derives the type from the name. */
function fileNameOf({ path, headers }: PublicFile): string {
  const isPage = headers.some((value) => value.startsWith('text/html'));
  return `${path.slice(1)}${isPage && !path.endsWith('.html') ? '.html' : ''}`;
}

function headersOf({ path, headers }: PublicFile, allowOrigin: string | undefined): string {
  const isShared = headers.includes('Cross-Origin-Resource-Policy') && allowOrigin !== undefined;
  const all = [...headers, ...(isShared ? ['Access-Control-Allow-Origin', allowOrigin] : [])];
  return `${path}\n${all.map((text, at) => (at % 2 === 0 ? `  ${text}: ` : `${text}\n`)).join('')}`;
}

/** Lists what an export wrote: the next one replaces and removes nothing else. */
const manifestName = '.typebadge-export.json';
const maxManifestBytes = 1024 * 1024;
const manifestSchema = v.object({ files: v.array(v.pipe(v.string(), v.check(isPlainPath))) });

/** Paths of folders that no export may write into, by their names for people. */
type ProtectedFolders = Readonly<Record<string, string>>;

/**
 * Writes the files into `folder` (absolute path), and removes what an earlier export wrote and this one did
 * not. Follows no symbolic link. Rejects with a `RefusedError`, before anything is written, if the folder is
 * protected or something else has one of the names.
 *
 * @param files by their paths below the folder, with slashes
 */
async function writeExport(
  folder: string,
  files: ReadonlyMap<string, Buffer>,
  protectedFolders: ProtectedFolders,
): Promise<void> {
  try {
    const names = [...files.keys()];
    const folders = [folder, ...new Set(names.map((name) => dirname(join(folder, name))))];
    for (const place of folders) await requireUnprotected(place, protectedFolders);
    const listed = await readManifest(folder);
    if (listed === undefined && (await readdir(folder).catch(() => [])).length > 0)
      throw new RefusedError(`${folder} holds files that no export wrote; choose an empty folder`);
    for (const name of names) await requireReplaceable(join(folder, name), listed?.includes(name) === true);
    const stale = (listed ?? []).filter((name) => !names.includes(name));
    for (const name of stale) await entryAt(join(folder, name));
    makeFolder(folder);
    // Before the first file and after the last: whenever this is interrupted, everything written is listed.
    await writeManifest(folder, [...names, ...stale]);
    for (const [name, body] of files) {
      makeFolder(dirname(join(folder, name)));
      await sweepDraftsOf(join(folder, name)); // of an export that was killed
      await replaceFile(join(folder, name), body);
    }
    for (const name of stale) await removeFile(join(folder, name));
    await writeManifest(folder, names);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new ContentError(`The export to ${folder} is not complete: ${(error as Error).message}`, folder);
  }
}

/** Refuses a folder that is or lies in a protected one. No part of its path is a symbolic link. */
async function requireUnprotected(folder: string, protectedFolders: ProtectedFolders) {
  await entryAt(folder);
  for (const [noun, path] of Object.entries(protectedFolders)) {
    const way = relative(await realpath(path).catch(() => path), folder);
    if (way.split(sep)[0] !== '..' && !isAbsolute(way))
      throw new RefusedError(`${folder} lies in ${noun} (${path}); export to a folder outside it`);
  }
}

/** Refuses if a name is taken by anything but a file that an earlier export wrote. */
async function requireReplaceable(path: string, isListed: boolean): Promise<void> {
  const found = await entryAt(path);
  if (found?.isDirectory()) throw new RefusedError(`${path} is a folder; a file of the export has that name`);
  if (found !== undefined && !isListed)
    throw new RefusedError(
      `${path} was not written by an export, and only such files are replaced; choose an empty folder`,
    );
}

/** What is at a path, if anything. Refuses a symbolic link in any part of it. */
async function entryAt(path: string): Promise<Stats | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await entryAt(parent);
  if (above?.isDirectory() === false) throw new RefusedError(`${parent} is not a folder; choose another`);
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink())
    throw new RefusedError(
      `${path} is a symbolic link, which an export does not follow; name the folder itself`,
    );
  return found;
}

/** What an earlier export wrote; undefined if there was none. Refuses a list that may be forged. */
async function readManifest(folder: string): Promise<string[] | undefined> {
  const path = join(folder, manifestName);
  const found = await entryAt(path);
  if (found === undefined) return undefined;
  // Windows knows no owner.
  if (found.uid !== (process.getuid?.() ?? found.uid))
    throw new RefusedError(`${path} belongs to another user; choose an empty folder`);
  try {
    const text = await readRegularFile(path, maxManifestBytes);
    return v.parse(manifestSchema, JSON.parse(text.toString())).files;
  } catch {
    throw new RefusedError(
      `${path} is not a list that an export wrote, so nobody knows what is in the folder; choose an empty one`,
    );
  }
}

async function writeManifest(folder: string, files: readonly string[]): Promise<void> {
  await replaceFile(join(folder, manifestName), `${JSON.stringify({ files }, null, 2)}\n`);
}

async function removeFile(path: string): Promise<void> {
  if (!(await entryAt(path))?.isFile()) return;
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => undefined); // a folder that holds something else stays
}

function isPlainPath(name: string): boolean {
  const isPlain = (segment: string) => segment !== '' && segment !== '.' && segment !== '..';
  return !/[\\:\0]/.test(name) && name !== manifestName && name.split('/').every(isPlain);
}
