import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { isRecordId, requireRecordId } from './record-state.ts';
import { codeOf } from './records.ts';

/**
 * The path of a record's files without their endings: `.1`, `.2`, …; a damaged one that was set aside ends
 * with `.1.damaged`, and one that is being made after the first with `.1~…`.
 *
 * Records are spread over 256 folders, so that none of them has a million entries.
 */
export function basePath(dir: string, id: string): string {
  requireRecordId(id);
  return join(dir, (crc32(id) & 0xff).toString(16).padStart(2, '0'), id);
}

/** Endings of a record's files, and of what a damaged file or a killed process has left. */
export const numbered = /^[1-9]\d*$/;
export const spoiled = /^\d+(?:\.damaged$|~)/;
const any = /^\d+(?:$|\.damaged$|~)/;

/** The numbers of a record's files, in order. */
export function fileNumbers(base: string): number[] {
  return endingsOf(base, numbered).map(Number);
}

/** Removes what has a lower number than this, lowest first. */
export function removeFiles(base: string, below: number, which = any): void {
  for (const ending of endingsOf(base, which))
    if (Number.parseInt(ending, 10) < below) rmSync(`${base}.${ending}`, { force: true });
}

function endingsOf(base: string, which: RegExp): string[] {
  const start = `${basename(base)}.`;
  try {
    return readdirSync(dirname(base))
      .filter((entry) => entry.startsWith(start) && which.test(entry.slice(start.length)))
      .map((entry) => entry.slice(start.length))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * The ids of all records below a folder that begin with `prefix`. Other files were put there by something
 * else, such as a copy made by hand.
 */
export async function* idsIn(dir: string, prefix: string): AsyncIterable<string> {
  const start = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  for (const spread of await entriesOf(dir)) {
    if (spread.isFile()) continue;
    const root = join(dir, spread.name);
    const ids = new Set<string>();
    for (const entry of await entriesOf(join(root, start), true)) {
      const path = relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
      if (!entry.isDirectory() && /\.[1-9]\d*$/.test(path)) ids.add(path.slice(0, path.lastIndexOf('.')));
    }
    for (const id of ids) if (id.startsWith(prefix) && isRecordId(id)) yield id;
  }
}

async function entriesOf(folder: string, recursive = false) {
  try {
    return await readdir(folder, { withFileTypes: true, recursive });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Types of network file systems, as reported by `statfs` on Linux. */
const networkTypes: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
  16914839: '9P',
  12805120: 'Ceph',
  198183888: 'Lustre',
};

/** A sentence if a folder is on a network disk, where two machines that append overwrite each other. */
export function networkDiskWarning(dir: string): string | undefined {
  const type = networkTypes[statfsSync(dir).type];
  return type === undefined
    ? undefined
    : `the data folder ${dir} is on a network disk (${type}), where appended lines can be lost; choose a folder on a local disk with --data, or let servers of several machines share a --store`;
}
