import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { type End, type Entry, entriesIn, type LinePlace, lineText } from './file-lines.ts';
import { codeOf, pathOf, type RecordPlace } from './record-folder.ts';
import { applyChange, isGone, newRecordState, type Outcome, type RecordState } from './record-state.ts';

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
  /** Whether something that could not be read came after the last change that counts for sure. */
  hasGap: boolean;
  /** The lines in this file, and the number of the first of them. */
  places: LinePlace[];
  firstLine: number;
  /** Whether its name was forced to disk. */
  isNameSafe: boolean;
  isClosed: boolean;
}

/**
 * Opens a file without reading it; undefined if it does not exist. One that may not be written to is opened
 * for reading.
 */
export function openFile(
  id: string,
  place: RecordPlace,
  number: number,
  mayCreate = false,
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
    hasGap: false,
    places: [],
    firstLine: 1,
    isNameSafe: false,
    isClosed: false,
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
 * Reads what this process or others have appended, up to a seal. Returns the outcome of the change with this
 * version; undefined if it was not read.
 */
export function readOn(file: RecordFile, version?: string): Outcome | undefined {
  const { size } = fstatSync(file.fd);
  const isNew = file.size === 0;
  if (file.seal !== undefined || (size <= file.size && !isNew)) return undefined;
  const start = file.size;
  const bytes = readBytes(file.fd, start, size);
  if (isNew && file.number > 1 && stateIn(bytes) === undefined) inheritState(file);
  let outcome: Outcome | undefined;
  for (const { entry, end } of entriesIn(bytes)) {
    file.size = start + end;
    const found = applyEntry(file, entry, start);
    if (typeof entry === 'object' && entry.kind === 'change' && entry.version === version) outcome = found;
    if (file.seal !== undefined) break;
  }
  return outcome;
}

/** @param start where in the file the places of lines are counted from */
function applyEntry(file: RecordFile, entry: Entry | 'cut' | 'damaged', start: number): Outcome | undefined {
  if (typeof entry === 'string') {
    // What was cut short was never acknowledged.
    if (entry === 'damaged') file.isDamaged = true;
    file.hasGap = true;
    return undefined;
  }
  if (entry.kind === 'change') return applyPlaced(file, entry, start);
  if (entry.kind === 'state') {
    file.state = entry.state;
    file.stateSize = file.size;
    file.firstLine = entry.state.last + 1;
  } else if (entry.end !== 'expired' || isGone(file.state, entry.at)) file.seal = entry;
  return undefined;
}

/**
 * Fields may depend on each other, so after a gap a change that expects a lost version does not count. Lines
 * do not depend on each other: a change that adds lines counts whatever it expects.
 */
function applyPlaced(
  file: RecordFile,
  { version, at, change, lines }: Extract<Entry, { kind: 'change' }>,
  start: number,
): Outcome {
  const { if: wanted, ...unconditional } = change;
  const isFree = file.hasGap && lines.length > 0 && wanted !== undefined && wanted !== file.state.version;
  const outcome = applyChange(file.state, { version, at, change: isFree ? unconditional : change });
  if (outcome !== 'applied') return outcome;
  if (wanted !== undefined) file.hasGap = false;
  if (isFree) file.isDamaged = true;
  const firstNew = file.state.last - lines.length + 1;
  if (firstNew !== file.firstLine + file.places.length) {
    // The record had expired: its lines begin with 1 again.
    file.places = [];
    file.firstLine = firstNew;
  }
  for (const place of lines) file.places.push({ ...place, start: start + place.start });
  return outcome;
}

/** The state with which a file begins; undefined if that is damaged or incomplete. */
function stateIn(bytes: Buffer): RecordState | undefined {
  const entry = entriesIn(bytes).next().value?.entry;
  return typeof entry === 'object' && entry.kind === 'state' ? entry.state : undefined;
}

/** A file whose beginning is damaged continues the file before it, if there is one. */
function inheritState(file: RecordFile): void {
  file.isDamaged = true;
  file.hasGap = true;
  const before = openFile(file.id, file.place, file.number - 1);
  if (before === undefined) return;
  try {
    readOn(before);
    if (before.seal !== undefined && before.seal.end !== 'continued') return;
    file.state = before.state;
    file.firstLine = before.state.last + 1;
  } finally {
    closeSync(before.fd);
  }
}

/** Writes text in one piece, and returns its bytes. A partial write does not count: see `entriesIn`. */
export function writeWhole(fd: number, text: string): number {
  const written = writeSync(fd, text);
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
  return places.map(({ start: at, length }) => lineText(bytes, { start: at - first.start, length }));
}

/** Bytes in which most states fit. */
const stateLength = 4096;

/** The number of the last line before this file; undefined if it cannot be read or there is no such file. */
export function lastLineBefore(place: RecordPlace, number: number): number | undefined {
  if (number === 1) return 0;
  const fd = openIfThere(pathOf(place, number), O_RDONLY);
  if (fd === undefined) return undefined;
  try {
    return stateIn(readBytes(fd, 0, stateLength))?.last;
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
