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
  /** Whether something that could not be read came after the last change that counts for sure. */
  hasGap: boolean;
  /** The versions that are known to have come before; undefined until a change after a gap was refused. */
  versions: Set<string> | undefined;
  /** The lines in this file, and the number of the first of them; undefined if it was damaged. */
  places: (LinePlace | undefined)[];
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
    ...{ id, place, number, fd, denial },
    ...nothingRead(),
    seal: undefined,
    isDamaged: false,
    versions: undefined,
    isNameSafe: false,
    syncs: 0,
    nextSync: undefined,
    isDropped: false,
  };
}

function nothingRead() {
  const places: (LinePlace | undefined)[] = [];
  return { size: 0, stateSize: 0, state: newRecordState(), places, firstLine: 1, hasGap: false };
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
  if (file.seal !== undefined) return undefined;
  const isFirst = file.size === 0 && file.number > 1;
  if (size <= file.size && !isFirst) return undefined;
  const bytes = readBytes(file.fd, file.size, size);
  if (isFirst && stateIn(bytes) === undefined) takeStateBefore(file);
  let at = 0;
  let outcome: Outcome | undefined;
  while (at < bytes.length && file.seal === undefined) {
    const parsed = parseEntry(bytes, at);
    // Another process is writing it, or was killed while it wrote.
    if (parsed === undefined) break;
    const { entry, end, isLater } = parsed;
    // Before it, one was cut, or one that counts lost its end.
    if (isLater) file.hasGap = true;
    if (entry === 'damaged' || entry === 'cut') {
      // What was cut short was never acknowledged.
      if (entry === 'damaged') file.isDamaged = true;
      file.hasGap = true;
    } else if (entry.kind === 'change') {
      const places = entry.lines.map(({ start, length }) => ({ start: start + file.size, length }));
      if (file.versions !== undefined) learnFrom(file, file.versions, entry);
      const found = applyAt(file, entry, places);
      if (found === 'changed' && places.length > 0 && file.hasGap && file.versions === undefined)
        return readAgain(file, size, version);
      // It expects the last version before the gap, so nothing that counts was in it.
      if (found === 'applied' && entry.change.if !== undefined) file.hasGap = false;
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

/** Reads a file from its beginning, to find out whether a faster change or damage caused a refusal. */
function readAgain(file: RecordFile, size: number, version: string | undefined): Outcome | undefined {
  Object.assign(file, nothingRead(), { versions: new Set() });
  return readOn(file, size, version);
}

/** The state with which a file begins; undefined if that is damaged, or not all of it is there. */
function stateIn(bytes: Buffer): RecordState | undefined {
  const entry = parseEntry(bytes, 0)?.entry;
  return typeof entry === 'object' && entry.kind === 'state' ? entry.state : undefined;
}

/** A file whose beginning is damaged goes on from the file before it, if there is one. */
function takeStateBefore(file: RecordFile): void {
  file.isDamaged = true;
  file.hasGap = true;
  const before = openFile(file.id, file.place, file.number - 1, false);
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

/** Draws conclusions from an intact change about damaged ones before it. */
function learnFrom(
  file: RecordFile,
  versions: Set<string>,
  { version, at, change, after }: PlacedChange & { readonly after: number },
): void {
  const { state, places } = file;
  versions.add(state.version);
  const { if: wanted = '', push } = change;
  const isUnknown = wanted !== '' && !versions.has(wanted);
  // Without a gap, the version is of a file before this one: another change was faster.
  if (isUnknown && (push === undefined || !file.hasGap)) return;
  versions.add(version);
  if (push === undefined || !file.hasGap) return;
  if (isUnknown) {
    file.isDamaged = true;
    state.version = wanted;
    // The damaged one has renewed it.
    if (state.until <= at) state.until = Number.POSITIVE_INFINITY;
  }
  if (after <= state.last) return;
  if (places.length === 0) file.firstLine = after + 1;
  else for (let number = state.last; number < after; number += 1) places.push(undefined);
  state.last = after;
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

/** Writes text in one piece, and returns its bytes. Less on a full disk does not count: see `parseEntry`. */
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

/** The lines with these numbers that are in this file; `''` for one that was damaged. */
export function linesIn(file: RecordFile, from: number, to: number): string[] {
  const [start, end] = [from, to + 1].map((number) => Math.max(0, number - file.firstLine));
  const places = file.places.slice(start, end);
  const intact = places.filter((place) => place !== undefined);
  const [first, last] = [intact[0], intact.at(-1)];
  if (first === undefined || last === undefined) return places.map(() => '');
  const bytes = readBytes(file.fd, first.start, last.start + last.length);
  return places.map((place) =>
    place === undefined ? '' : lineText(bytes, { start: place.start - first.start, length: place.length }),
  );
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
