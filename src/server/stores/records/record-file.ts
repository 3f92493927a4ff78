import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { constants as system } from 'node:os';
import { dirname } from 'node:path';
import { giveToOwnerOf } from '../../../kit/files/ownership.ts';
import { type End, type Entry, entriesIn, type LinePlace, lineText } from './file-lines.ts';
import {
  applyChange,
  createReplacedVersions,
  isGone,
  newRecordState,
  type Outcome,
  type PlacedChange,
  type RecordState,
} from './record-state.ts';
import { codeOf } from './records.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

/** One file of a record, as far as this process has read it. */
export class RecordFile {
  /** Bytes that have been read and applied to `state`. */
  size = 0;
  /** Bytes of the state with which the file begins. */
  stateSize = 0;
  state = newRecordState();
  seal: { readonly version: string; readonly end: End } | undefined;
  isDamaged = false;
  /** Whether something in it could not be read. */
  #hasGap = false;
  readonly #replaced = createReplacedVersions();
  /** Number of the first line in this file. */
  firstLine = 1;
  /** Whether its name was forced to disk. */
  isNameSafe = false;
  #places: LinePlace[] = [];
  #isClosed = false;

  constructor(
    readonly id: string,
    /** Its path without its number. */
    readonly base: string,
    /** The files of a record are numbered; only the last one is not sealed. */
    readonly number: number,
    readonly fd: number,
  ) {}

  get path(): string {
    return `${this.base}.${this.number}`;
  }

  /** Whether its record goes on in the next file. */
  get isContinued(): boolean {
    return this.seal?.end === 'continued';
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.fd);
    this.#isClosed = true;
  }

  /**
   * Reads what this process or others have appended, up to a seal. Returns the outcome of the change with
   * this version; undefined if it was not read.
   */
  readOn(version?: string): Outcome | undefined {
    const { size } = fstatSync(this.fd);
    const isNew = this.size === 0;
    if (this.seal !== undefined || (size <= this.size && !isNew)) return undefined;
    const start = this.size;
    const bytes = readBytes(this.fd, start, size);
    if (isNew && this.number > 1 && stateIn(bytes) === undefined) this.#inheritState();
    let outcome: Outcome | undefined;
    for (const { entry, end } of entriesIn(bytes)) {
      this.size = start + end;
      const found = this.#apply(entry, start, version);
      outcome ??= found;
      if (this.seal !== undefined) break;
    }
    return outcome;
  }

  /**
   * @param start where in the file the places of lines are counted from
   * @param version of the change whose outcome is returned
   */
  #apply(entry: Entry | 'cut' | 'damaged', start: number, version?: string): Outcome | undefined {
    if (typeof entry === 'string') {
      // What was cut short was never acknowledged.
      if (entry === 'damaged') this.isDamaged = true;
      this.#hasGap = true;
    } else if (entry.kind === 'change') {
      const outcome = this.applyChange(entry, entry.lines, start);
      if (entry.version === version) return outcome;
    } else if (entry.kind === 'state') {
      this.stateSize = this.size;
      this.#beginWith(entry.state);
    } else if (entry.end === 'continued' || isGone(this.state, entry.at)) this.seal = entry;
    return undefined;
  }

  #beginWith(state: RecordState): void {
    this.state = state;
    this.firstLine = state.last + 1;
  }

  /**
   * Fields may depend on each other, so after a gap a change that expects a lost version does not count.
   * Lines do not depend on each other: a change that adds lines counts, unless the version that it expects is
   * known to be replaced, so that its writer was refused.
   */
  applyChange({ version, at, change }: PlacedChange, lines: readonly LinePlace[] = [], start = 0): Outcome {
    const { if: wanted, ...unconditional } = change;
    const { version: before } = this.state;
    const isLost = wanted !== undefined && wanted !== before && !this.#replaced.has(wanted);
    const isFree = this.#hasGap && lines.length > 0 && isLost;
    const outcome = applyChange(this.state, { version, at, change: isFree ? unconditional : change });
    if (isLost) this.#replaced.add(wanted);
    if (outcome !== 'applied') return outcome;
    this.#replaced.add(before);
    if (isFree) this.isDamaged = true;
    const firstNew = this.state.last - lines.length + 1;
    if (firstNew !== this.firstLine + this.#places.length) {
      // The record had expired: its lines begin with 1 again.
      this.#places = [];
      this.firstLine = firstNew;
    }
    for (const place of lines) this.#places.push({ ...place, start: start + place.start });
    return outcome;
  }

  /** A file whose beginning is damaged continues the file before it, if there is one. */
  #inheritState(): void {
    this.isDamaged = true;
    this.#hasGap = true;
    const before = openFile(this.id, this.base, this.number - 1);
    if (before === undefined) return;
    try {
      before.readOn();
      if (before.seal?.end !== 'expired') this.#beginWith(before.state);
    } finally {
      before.close();
    }
  }

  /** Whether the file ends at this place. Much cheaper than `fstat`. */
  isEnd(place: number): boolean {
    return readSync(this.fd, oneByte, 0, 1, place) === 0;
  }

  /** Whether its record was removed by another process, or continued without it. */
  isUnlinked(): boolean {
    return fstatSync(this.fd).nlink === 0;
  }

  /** The lines with these numbers that are in this file. */
  linesIn(from: number, to: number): string[] {
    const [start, end] = [from, to + 1].map((number) => Math.max(0, number - this.firstLine));
    const places = this.#places.slice(start, end);
    const [first] = places;
    if (first === undefined) return [];
    const last = places.at(-1) as LinePlace;
    const bytes = readBytes(this.fd, first.start, last.start + last.length);
    return places.map(({ start: at, length }) => lineText(bytes, { start: at - first.start, length }));
  }
}

const oneByte = Buffer.alloc(1);

/**
 * Opens a file without reading it; undefined if it does not exist. One that may not be written to is opened
 * for reading.
 */
export function openFile(
  id: string,
  base: string,
  number: number,
  mayCreate = false,
): RecordFile | undefined {
  const path = `${base}.${number}`;
  let fd: number | undefined;
  try {
    fd = openIfThere(path, O_RDWR | O_APPEND | (mayCreate ? O_CREAT : 0));
    if (mayCreate && fd !== undefined && fstatSync(fd).size === 0) giveToOwnerOf(dirname(path), fd);
  } catch (error) {
    if (mayCreate || !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    fd = openIfThere(path, O_RDONLY);
  }
  return fd === undefined ? undefined : new RecordFile(id, base, number, fd);
}

function openIfThere(path: string, flags: number): number | undefined {
  try {
    // A pipe would block the whole process, and root must not follow a link of the folder's owner.
    return openSync(path, flags | O_NONBLOCK | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes text in one piece, and returns its bytes. A partial write does not count: see `entriesIn`. */
export function writeWhole(fd: number, text: string): number {
  const written = writeSync(fd, text);
  if (written === Buffer.byteLength(text)) return written;
  throw Object.assign(new Error('no space left on device'), { errno: -system.errno.ENOSPC });
}

/** Bytes in which most states fit. */
const stateLength = 4096;

/** The number of the last line before this file; undefined if it cannot be read or there is no such file. */
export function lastLineBefore(base: string, number: number): number | undefined {
  if (number === 1) return 0;
  const fd = openIfThere(`${base}.${number}`, O_RDONLY);
  if (fd === undefined) return undefined;
  try {
    return stateIn(readBytes(fd, 0, stateLength))?.last;
  } finally {
    closeSync(fd);
  }
}

/** The state with which a file begins; undefined if that is damaged or incomplete. */
function stateIn(bytes: Buffer): RecordState | undefined {
  const entry = entriesIn(bytes).next().value?.entry;
  return typeof entry === 'object' && entry.kind === 'state' ? entry.state : undefined;
}

function readBytes(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  for (let length = 0; ; ) {
    const count = readSync(fd, bytes, length, bytes.length - length, from + length);
    if (count === 0) return bytes.subarray(0, length);
    length += count;
  }
}
