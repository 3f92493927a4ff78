import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { type End, type LinePlace, lineText, parseEntry } from './file-lines.ts';
import {
  applyChange,
  newRecordState,
  type Outcome,
  type PlacedChange,
  type RecordState,
} from './record-state.ts';

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR } = constants;

/** One file of a record, as far as this process has read it. */
export interface RecordFile {
  readonly id: string;
  readonly path: string;
  /** The files of a record are numbered; only the last one is not sealed. */
  readonly number: number;
  readonly fd: number;
  readonly isWritable: boolean;
  /** Bytes that have been read and applied to `state`. */
  size: number;
  /** Bytes of the state with which the file begins. */
  stateSize: number;
  /** Whether incomplete bytes follow: another process is writing, or one was killed while it wrote. */
  isTorn: boolean;
  state: RecordState;
  seal: { readonly version: string; readonly end: End } | undefined;
  /** Entries of this file that could not be read. */
  broken: number;
  /** The lines in this file, and the number of the first of them. */
  places: LinePlace[];
  firstLine: number;
}

/** Opens a file without reading it; undefined if it does not exist. */
export function openFile(
  id: string,
  path: string,
  number: number,
  mayCreate: boolean,
): RecordFile | undefined {
  const open = (flags: number) => {
    try {
      return openSync(path, flags, 0o600);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  };
  let isWritable = true;
  let fd: number | undefined;
  try {
    fd = open(O_RDWR | O_APPEND | (mayCreate ? O_CREAT : 0));
  } catch (error) {
    if (mayCreate || !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    isWritable = false;
    fd = open(O_RDONLY);
  }
  if (fd === undefined) return undefined;
  return {
    id,
    path,
    number,
    fd,
    isWritable,
    size: 0,
    stateSize: 0,
    isTorn: false,
    state: newRecordState(),
    seal: undefined,
    broken: 0,
    places: [],
    firstLine: 1,
  };
}

/** Reads what this process or others have appended. Returns what became of the change with this version, if it was read. */
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
    if (parsed === undefined) break;
    const { entry, end } = parsed;
    if (entry === 'broken') file.broken += end - at > 1 ? 1 : 0;
    else if (entry.kind === 'change') {
      const places = entry.lines.map(({ start, length }) => ({ start: start + file.size, length }));
      const found = applyAt(file, entry, places);
      if (entry.version === version) outcome = found;
    } else if (entry.kind === 'state') {
      file.state = entry.state;
      file.stateSize = end;
      file.firstLine = entry.state.last + 1;
    } else if (entry.end !== 'expired' || file.state.until <= entry.at) file.seal = entry;
    at = end;
  }
  file.size += at;
  file.isTorn = at < bytes.length;
  return outcome;
}

/** Applies a change that stands in the file, with the places of its lines. */
export function applyAt(file: RecordFile, placed: PlacedChange, places: readonly LinePlace[]): Outcome {
  const outcome = applyChange(file.state, placed);
  if (outcome !== 'applied') return outcome;
  const firstNew = file.state.last - places.length + 1;
  if (firstNew !== file.firstLine + file.places.length) {
    // The record had expired: its lines begin with 1 again.
    file.places = [];
    file.firstLine = firstNew;
  }
  file.places.push(...places);
  return outcome;
}

/** Appends text in one piece, and returns its bytes. */
export function appendText(file: RecordFile, text: string): number {
  const whole = file.isTorn ? `\n${text}` : text;
  const length = Buffer.byteLength(whole);
  const written = writeSync(file.fd, whole);
  if (written === length) return length;
  file.isTorn = true;
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
}

/** The lines with these numbers that are in this file. */
export function linesIn(file: RecordFile, from: number, to: number): string[] {
  const places = file.places.slice(Math.max(0, from - file.firstLine), Math.max(0, to + 1 - file.firstLine));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [];
  const bytes = readBytes(file.fd, first.start, last.start + last.length);
  return places.map(({ start, length }) => lineText(bytes, { start: start - first.start, length }));
}

export function closeFile(file: RecordFile): void {
  closeSync(file.fd);
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

export function codeOf(error: unknown): string {
  return String(Object(error).code ?? '');
}
