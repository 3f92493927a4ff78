import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { ContentError } from '../../server/badge/content-error.ts';
import { makeFolder } from '../../server/folder.ts';
import { sweepDraftsOf, writeWholeFile } from '../../server/whole-file.ts';
import type { ExportedFile } from './exported-files.ts';

/** Lists what an export wrote, so that the next one knows the folder and what to remove from it. */
const manifestName = '.typebadge-export.json';
const manifestSchema = v.object({ files: v.array(v.pipe(v.string(), v.check(isInside))) });

/** Every file is replaced as a whole, those that others refer to first; then goes what an earlier export wrote and this one did not. */
export async function writeTree(
  dir: string,
  files: readonly ExportedFile[],
  force: boolean,
): Promise<{ problem: string } | { removed: number }> {
  try {
    await makeFolder(dir);
    const earlier = await readManifest(dir);
    if (earlier === undefined && !force && (await readdir(dir)).length > 0) {
      return {
        problem: `${dir} holds files that no export has written; choose an empty folder, or add --force to write beside them`,
      };
    }
    const names = files.map(({ name }) => name);
    const stale = (earlier ?? []).filter((name) => !names.includes(name));
    // Before the first file and after the last: whenever this is interrupted, everything written is on a list.
    await writeManifest(dir, [...names, ...stale]);
    for (const { name, body } of files) {
      await makeFolder(dirname(join(dir, name)));
      await writeWholeFile(join(dir, name), body);
      await sweepDraftsOf(join(dir, name)); // of an export that was killed
    }
    for (const name of stale) await removeFile(dir, name);
    await writeManifest(dir, names);
    return { removed: stale.length };
  } catch (error) {
    const { message } = error as Error;
    throw new ContentError(`The export to ${dir} is not complete: ${message}`, dir, [], { cause: error });
  }
}

async function readManifest(dir: string): Promise<string[] | undefined> {
  try {
    const result = v.safeParse(manifestSchema, JSON.parse(await readFile(join(dir, manifestName), 'utf8')));
    return result.success ? result.output.files : undefined;
  } catch {
    return undefined;
  }
}

function writeManifest(dir: string, files: readonly string[]): Promise<void> {
  return writeWholeFile(join(dir, manifestName), `${JSON.stringify({ files }, null, 2)}\n`);
}

async function removeFile(dir: string, name: string): Promise<void> {
  await rm(join(dir, name), { force: true });
  const parent = dirname(join(dir, name));
  if (parent !== dir) await rmdir(parent).catch(() => undefined); // stays where something else is in it
}

/** A list that somebody tampered with must not name files elsewhere. */
function isInside(name: string): boolean {
  return !name.startsWith('/') && !/[\\:]/.test(name) && !name.split('/').includes('..');
}
