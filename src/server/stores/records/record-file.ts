import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { type End, type LinePlace, lineText, parseEntry } from './file-lines.ts';
import { codeOf, pathOf, type RecordPlace } from './record-folder.ts';
import {
  applyChange,
  isGone,
  newRecordState,
  type Outcome,
  type PlacedChange,
  type RecordState,
} from './record-state.ts';

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR } = constants;

/** One file of a record, as far as this process has read it. */
export interface RecordFile {
  readonly id: string;
  readonly place: RecordPlace;
  /** The files of a record are numbered; only the last one is not sealed. */
  readonly number: number;
  readonly fd: number;
  /** Why it may not be written to. */
  readonly denial: unknown;
  /** Bytes that have been read and applied to `state`. */
  size: number;
  /** Bytes of the state with which the file begins. */
  stateSize: number;
  state: RecordState;
  seal: { readonly version: string; readonly end: End } | undefined;
  isDamaged: boolean;
  /** The lines in this file, and the number of the first of them. */
  places: LinePlace[];
  firstLine: number;
  /** Whether its name was forced to disk. */
  isNameSafe: boolean;
  /** Number of `fdatasync` calls that are under way: it must not be closed. */
  syncs: number;
  nextSync: Promise<void> | undefined;
  isDropped: boolean;
}

/**
 * Opens a file without reading it; undefined if it does not exist. One that may not be written to is opened
 * for reading.
 */
export function openFile(
  id: string,
  place: RecordPlace,
  number: number,
  mayCreate: boolean,
): RecordFile | undefined {
  const path = pathOf(place, number);
  let denial: unknown;
  let fd: number | undefined;
  try {
    fd = openIfThere(path, O_RDWR | O_APPEND | (mayCreate ? O_CREAT : 0));
  } catch (error) {
    if (mayCreate || !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    denial = error;
    fd = openIfThere(path, O_RDONLY);
  }
  if (fd === undefined) return undefined;
  return {
    id,
    place,
    number,
    fd,
    denial,
    size: 0,
    stateSize: 0,
    state: newRecordState(),
    seal: undefined,
    isDamaged: false,
    places: [],
    firstLine: 1,
    isNameSafe: false,
    syncs: 0,
    nextSync: undefined,
    isDropped: false,
  };
}

function openIfThere(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Reads what this process or others have appended, up to a seal. Returns what became of the change with this
 * version; undefined if it was not among that.
 */
export function readOn(
  file: RecordFile,
  size = fstatSync(file.fd).size,
  version?: string,
): Outcome | undefined {
  if (size <= file.size || file.seal !== undefined) return undefined;
  const bytes = readBytes(file.fd, file.size, size);
  let at = 0;
  let outcome: Outcome | undefined;
  while (at < bytes.length && file.seal === undefined) {
    const parsed = parseEntry(bytes, at);
    // Another process is writing it, or was killed while it wrote.
    if (parsed === undefined) break;
    const { entry, end } = parsed;
    if (entry === 'damaged') file.isDamaged = true;
    else if (entry === 'cut') {
      // It was never acknowledged.
    } else if (entry.kind === 'change') {
      const places = entry.lines.map(({ start, length }) => ({ start: start + file.size, length }));
      const found = applyAt(file, entry, places);
      if (entry.version === version) outcome = found;
    } else if (entry.kind === 'state') {
      file.state = entry.state;
      file.stateSize = end;
      file.firstLine = entry.state.last + 1;
    } else if (entry.end !== 'expired' || isGone(file.state, entry.at)) file.seal = entry;
    at = end;
  }
  file.size += at;
  return outcome;
}

/** Applies a change that is in the file, with the places of its lines. */
function applyAt(file: RecordFile, placed: PlacedChange, places: readonly LinePlace[]): Outcome {
  const outcome = applyChange(file.state, placed);
  if (outcome !== 'applied') return outcome;
  const firstNew = file.state.last - places.length + 1;
  if (firstNew !== file.firstLine + file.places.length) {
    // The record had expired: its lines begin with 1 again.
    file.places = [];
    file.firstLine = firstNew;
  }
  for (const place of places) file.places.push(place);
  return outcome;
}

/**
 * Appends text in one piece, and returns its bytes. What was cut short by a full disk does not count: see
 * `parseEntry`.
 */
export function appendText(file: RecordFile, text: string): number {
  const written = writeSync(file.fd, text);
  if (written === Buffer.byteLength(text)) return written;
  throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
}

/** Whether a file ends at this place. Much cheaper than `fstat`. */
export function isEnd(file: RecordFile, place: number): boolean {
  return readSync(file.fd, oneByte, 0, 1, place) === 0;
}

const oneByte = Buffer.alloc(1);

/** The lines with these numbers that are in this file. */
export function linesIn(file: RecordFile, from: number, to: number): string[] {
  const [start, end] = [from, to + 1].map((number) => Math.max(0, number - file.firstLine));
  const places = file.places.slice(start, end);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [];
  const bytes = readBytes(file.fd, first.start, last.start + last.length);
  return places.map(({ start, length }) => lineText(bytes, { start: start - first.start, length }));
}

/** The number of the last line before this file, from its first bytes; undefined if there is no such file. */
export function lastLineBefore(place: RecordPlace, number: number): number | undefined {
  const fd = openIfThere(pathOf(place, number), O_RDONLY);
  if (fd === undefined) return undefined;
  try {
    return Number(/^.{8}#.*?"last":(\d+)/.exec(readBytes(fd, 0, 300).toString('latin1'))?.[1] ?? 0);
  } finally {
    closeSync(fd);
  }
}

function readBytes(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(fd, bytes, length, bytes.length - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
