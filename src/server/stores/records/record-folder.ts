import { readdirSync, statfsSync, unlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isRecordId, requireRecordId } from './record-state.ts';

/** Where the numbered files of one record are. */
export interface RecordPlace {
  readonly folder: string;
  /**
   * Its files are `NAME.1`, `NAME.2`, …; a damaged one that was set aside is `NAME.1.damaged`, and one that
   * is being made `NAME.2~…`.
   */
  readonly name: string;
}

/** Records are spread over 256 folders, so that none of them has a million entries. */
export function placeOf(dir: string, id: string): RecordPlace {
  requireRecordId(id);
  const at = id.lastIndexOf('/') + 1;
  const spread = (crc32(id) & 0xff).toString(16).padStart(2, '0');
  return { folder: join(dir, spread, id.slice(0, at)), name: id.slice(at) };
}

export function pathOf({ folder, name }: RecordPlace, number: number): string {
  return join(folder, `${name}.${number}`);
}

/** The numbers of a record's files, in order. */
export function fileNumbers(place: RecordPlace): number[] {
  return endingsOf(place)
    .filter((ending) => /^\d+$/.test(ending))
    .map(Number)
    .sort((a, b) => a - b);
}

/** Removes the files with lower numbers than this, lowest first. */
export function removeFiles(place: RecordPlace, below: number): void {
  for (const number of fileNumbers(place)) if (number < below) removeFile(pathOf(place, number));
}

/** The same for damaged files that were set aside, and for those left by a killed process. */
export function removeSpoiled(place: RecordPlace, below: number): void {
  for (const ending of endingsOf(place)) {
    if (/^\d+(?:\.damaged$|~)/.test(ending) && Number.parseInt(ending, 10) < below)
      removeFile(join(place.folder, `${place.name}.${ending}`));
  }
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function endingsOf({ folder, name }: RecordPlace): string[] {
  try {
    return readdirSync(folder).flatMap((entry) =>
      entry.startsWith(`${name}.`) ? [entry.slice(name.length + 1)] : [],
    );
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The ids of all records below a folder that begin with `prefix`. */
export async function* idsIn(dir: string, prefix: string): AsyncIterable<string> {
  for (const spread of await entriesOf(dir)) yield* idsBelow(join(dir, spread.name), '', prefix);
}

async function* idsBelow(folder: string, start: string, prefix: string): AsyncIterable<string> {
  const found = new Set<string>();
  for (const entry of await entriesOf(folder)) {
    const path = `${start}${entry.name}`;
    if (entry.isDirectory()) {
      const below = `${path}/`;
      if (below.startsWith(prefix) || prefix.startsWith(below))
        yield* idsBelow(join(folder, entry.name), below, prefix);
    } else if (/\.\d+$/.test(entry.name)) found.add(path.slice(0, path.lastIndexOf('.')));
  }
  // Other files were put there by something else, such as a copy made by hand.
  for (const id of found) if (id.startsWith(prefix) && isRecordId(id)) yield id;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
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

export function codeOf(error: unknown): string {
  return String(Object(error).code ?? '');
}
