import { crc32 } from 'node:zlib';
import { newRecordState, type PlacedChange, type RecordState } from './record-state.ts';

/*
 * The text of a record's file. Each entry is one line that begins with a checksum of eight hex digits and its
 * kind:
 *
 *   +version if at ttl field text    text at the end of one field, the commonest change: a keystroke
 *   !{"version":…,"at":…,…}          any other change; the lines that it adds follow it, each as `=text`
 *   #{"version":…,"fields":…,…}      the state with which the file begins, if it continues an earlier one
 *   $version at end                  the seal: what follows it does not count
 *
 * A session that is opened, in which a round is started and two keys are typed, and which is deleted:
 *
 *   1f0c…!{"version":"q8Zt1","at":1790000000000,"if":"","put":{"session":"{…}","round":"{…}","used":"179…"},"ttl":86400000}
 *   77ab…!{"version":"q8Zt2","at":1790000001000,"if":"q8Zt1","put":{"round":"{…}"}}
 *   c04d…+q8Zt3 q8Zt2 1790000002000 - inputs0 h
 *   90e2…+q8Zt4 q8Zt3 1790000002150 - inputs0 i
 *   5b31…$q8Zt5 1790000060000 removed
 *
 * `if` is the version that the writer expects. Had another process appended a change between the last two
 * keys, the second `+` would not count, for every reader and for its own writer, who would then read the
 * change and try again.
 *
 * If an entry is damaged, what it did is not known. Fields may depend on each other, so later changes that
 * expect its version do not count; lines do not, so a change that adds some counts, and they keep their
 * numbers (`after`, the number of the line before).
 *
 * The checksum covers the added lines too. An entry that was not written completely (a kill, a full disk)
 * does not count; it has no line end, so the next one begins in the middle of its line.
 */

/**
 * `continued`: in the next file. `removed`: the record is gone. `expired`: the same, if there is no record at
 * that time.
 */
export type End = 'continued' | 'removed' | 'expired';

export type Entry =
  | ({ readonly kind: 'change'; readonly lines: readonly LinePlace[]; readonly after: number } & PlacedChange)
  | { readonly kind: 'state'; readonly state: RecordState }
  | { readonly kind: 'seal'; readonly version: string; readonly at: number; readonly end: End };

/** Where the text of a line is, with its first character that says how it is written. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

const newline = 0x0a;

/**
 * What is appended to a file for a change.
 *
 * @param after the number of the last line before those that it adds, if its conditions hold: so they keep
 * their numbers if what is before them gets damaged
 */
export function changeText({ version, at, change }: PlacedChange, after: number): string {
  return shortText(version, at, change) ?? longText(version, at, change, after);
}

function shortText(version: string, at: number, change: PlacedChange['change']): string | undefined {
  let name: string | undefined;
  for (const key in change) {
    if (key === 'append') {
      for (const field in change.append) {
        if (name !== undefined) return undefined;
        name = field;
      }
    } else if (key !== 'if' && key !== 'ttl' && key !== 'durable') return undefined;
  }
  if (name === undefined || name.includes(' ')) return undefined;
  const text = `${name} ${change.append?.[name]}`;
  if (text.includes('\n')) return undefined;
  return checked(`+${version} ${change.if ?? '-'} ${at} ${change.ttl ?? '-'} ${text}`);
}

function longText(version: string, at: number, change: PlacedChange['change'], after: number): string {
  const { push, durable: _, forget: __, ...rest } = change;
  if (push === undefined || push.length === 0) return checked(`!${JSON.stringify({ version, at, ...rest })}`);
  const lines = push.map((text) => (text.includes('\n') ? JSON.stringify(text) : `=${text}`));
  const lengths = lines.map((line) => Buffer.byteLength(line));
  const added = `${lines.join('\n')}\n`;
  return checked(`!${JSON.stringify({ version, at, ...rest, push: lengths, after })}`, added);
}

export function sealText(version: string, at: number, end: End): string {
  return checked(`$${version} ${at} ${end}`);
}

export function stateText(state: RecordState): string {
  const { fields, marks, until, ...rest } = state;
  // Infinity has no JSON. `last` comes before the fields, where `lastLineBefore` looks for it.
  const life = Number.isFinite(until) ? { until } : {};
  return checked(`#${JSON.stringify({ ...rest, ...life, marks: [...marks], fields: [...fields] })}`);
}

function checked(text: string, added = ''): string {
  const sum = added === '' ? crc32(text) : crc32(added, crc32(text));
  return `${checksum(sum)}${text}\n${added}`;
}

function checksum(value: number): string {
  return value.toString(16).padStart(8, '0');
}

/**
 * `cut`: an entry that was not written completely. `damaged`: something that was never written like this.
 * `isLater`: something else is before the entry in its line. Undefined: the rest is not there yet.
 */
export type Parsed =
  | { readonly entry: Entry | 'cut' | 'damaged'; readonly end: number; readonly isLater?: true }
  | undefined;

/** A cut entry has no end, so the next one begins in the same line. */
const entryStart = /[0-9a-f]{8}[+!#$]/g;
/** So many places in a line are tried as the beginning of an entry. */
const maxStarts = 20;

/** Reads the entry at a place. Places of lines are counted from the beginning of `bytes`. */
export function parseEntry(bytes: Buffer, start: number): Parsed {
  const first = parseWhole(bytes, start);
  if (first === undefined || typeof first.entry === 'object') return first;
  const line = bytes.toString('latin1', start, first.end);
  let tries = 0;
  for (const { index } of line.matchAll(entryStart)) {
    if (index === 0) continue;
    const later = parseWhole(bytes, start + index);
    if (later === undefined) return undefined;
    if (typeof later.entry === 'object') return { ...later, isLater: true };
    tries += 1;
    if (tries === maxStarts) break;
  }
  return first;
}

function parseWhole(bytes: Buffer, start: number): Parsed {
  const end = bytes.indexOf(newline, start) + 1;
  if (end === 0) return undefined;
  // A line of an entry that was cut.
  if (bytes[start] === 0x3d || bytes[start] === 0x22) return { entry: 'cut', end };
  try {
    const entry = parseText(bytes.toString('utf8', start + 8, end - 1), bytes, end);
    if (entry === undefined) return undefined;
    if (entry === 'cut') return { entry, end };
    const last = entry.kind === 'change' ? entry.lines.at(-1) : undefined;
    const over = last === undefined ? end : last.start + last.length + 1;
    const found = crc32(bytes.subarray(end, over), crc32(bytes.subarray(start + 8, end - 1)));
    if (checksum(found) === bytes.toString('latin1', start, start + 8)) return { entry, end: over };
  } catch {
    // Not even of the right form.
  }
  return { entry: 'damaged', end };
}

function parseText(text: string, bytes: Buffer, end: number): Entry | 'cut' | undefined {
  switch (text[0]) {
    case '+':
      return parseShort(text);
    case '!': {
      const { version, at, push, after = 0, ...change } = JSON.parse(text.slice(1));
      const lines = push === undefined ? [] : findLines(bytes, end, push);
      if (lines === undefined || lines === 'cut') return lines;
      // The texts stay in the file: what changes the state is their number.
      const pushed = push === undefined ? {} : { push: lines.map(() => '') };
      return { kind: 'change', version, at, lines, after, change: { ...change, ...pushed } };
    }
    case '#': {
      const { fields, marks, ...rest } = JSON.parse(text.slice(1));
      return {
        kind: 'state',
        state: { ...newRecordState(), ...rest, fields: new Map(fields), marks: new Map(marks) },
      };
    }
    case '$': {
      const [version = '', at, ending] = text.slice(1).split(' ');
      return { kind: 'seal', version, at: Number(at), end: ending as End };
    }
    default:
      throw new Error('no kind of entry');
  }
}

function parseShort(text: string): Entry {
  const [version = '', wanted = '', at, ttl, name = ''] = text.slice(1).split(' ', 5);
  const rest = text.slice(6 + version.length + wanted.length + `${at}${ttl}${name}`.length);
  return {
    kind: 'change',
    version,
    at: Number(at),
    lines: [],
    after: 0,
    change: {
      append: { [name]: rest },
      ...(wanted !== '-' && { if: wanted }),
      ...(ttl !== '-' && { ttl: Number(ttl) }),
    },
  };
}

/** Undefined if not all of them are there yet; `cut` if something else is there. */
function findLines(bytes: Buffer, from: number, lengths: readonly number[]): LinePlace[] | 'cut' | undefined {
  const places: LinePlace[] = [];
  let start = from;
  for (const length of lengths) {
    const end = bytes.indexOf(newline, start);
    if (end === -1) return undefined;
    if (end !== start + length) return 'cut';
    places.push({ start, length });
    start = end + 1;
  }
  return places;
}

export function lineText(bytes: Buffer, { start, length }: LinePlace): string {
  const text = bytes.toString('utf8', start, start + length);
  return text[0] === '=' ? text.slice(1) : JSON.parse(text);
}
