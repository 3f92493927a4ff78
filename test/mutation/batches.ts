import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Room } from './rooms.ts';
import type { Sample } from './sample.ts';

/** Files that are mutated together. */
export interface Batch {
  readonly files: readonly string[];
  /** Names these files as they are now, and the tests as they are now. */
  readonly key: string;
  /** Only these mutants of the files. */
  readonly sample?: Sample;
}

/** A batch takes some minutes: what it found is kept when the time is over. */
const mostLines = 400;
const mostDrawn = 40;

/** @param tests what the tests are now, as any text that changes when they do */
export function batchesOf(room: Pick<Room, 'source' | 'without'>, tests: string): Batch[] {
  const batches: string[][] = [];
  let lines = mostLines;
  for (const file of filesOf(room)) {
    const own = readFileSync(file, 'utf8').split('\n').length;
    if (lines + own > mostLines) {
      batches.push([]);
      lines = 0;
    }
    batches.at(-1)?.push(file);
    lines += own;
  }
  return batches.map((files) => ({ files, key: keyOf(files, tests) }));
}

/** A random sample of all mutants of a room. */
export function drawnBatchesOf(
  room: Pick<Room, 'source' | 'without'>,
  tests: string,
  { size, seed }: { readonly size: number; readonly seed: number },
): Batch[] {
  const files = filesOf(room);
  return Array.from({ length: Math.ceil(size / mostDrawn) }, (_, at) => {
    const from = at * mostDrawn;
    const sample = { seed, from, to: Math.min(size, from + mostDrawn) };
    return { files, key: keyOf(files, tests + JSON.stringify(sample)), sample };
  });
}

function filesOf({ source, without }: Pick<Room, 'source' | 'without'>): string[] {
  return source.flatMap(filesBelow).filter((name) => without?.test(name) !== true);
}

/** All files of TypeScript below a place, or the file itself, in order. */
export function filesBelow(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(place, name))
    .sort();
}

function keyOf(files: readonly string[], tests: string): string {
  const hash = createHash('sha256').update(tests);
  for (const file of files) hash.update(`\0${file}\0${readFileSync(file, 'utf8')}`);
  return hash.digest('hex').slice(0, 20);
}
