import { crc32 } from 'node:zlib';
import { newRecordState, type PlacedChange, type RecordState } from './record-state.ts';

/*
 * The text of a record's file. Each entry is one line that begins with its kind and a checksum:
 *
 *   +sum version if field text           text at the end of one field, the commonest change: a keystroke
 *   !sum {"version":…,"at":…,…}          any other change; its lines follow, each after a carriage return
 *   #sum {"version":…,"fields":…,…}      the state with which the file begins, if it continues an earlier one
 *   $sum version at end                  the seal: what follows it does not count
 *
 * A session that is opened, in which a round is started and two keys are typed, and which is deleted:
 *
 *   !528… {"version":"q8Zt1","at":179…,"if":"","put":{"session":"{…}","inputs":"","used":"179…"},"ttl":864…}
 *   !312… {"version":"q8Zt2","at":179…,"if":"q8Zt1","put":{"session":"{…}","inputs":""}}
 *   +192… q8Zt3 q8Zt2 inputs h
 *   +290… q8Zt4 q8Zt3 inputs i
 *   !740… {"version":"q8Zt5","at":179…,"ttl":0}
 *   $153… q8Zt6 1790000060000 expired
 *
 * `if` is the version that the writer expects. Had another process appended a change between the last two
 * keys, the second `+` would not count, for every reader and for its own writer, who would then read the
 * change and try again.
 *
 * An entry that was not written completely (a kill, a full disk) does not count; it has no line end, so the
 * next one begins in the middle of its line.
 */

/** `continued`: in the next file. `expired`: the record is gone, if there is none at the time of the seal. */
export type End = 'continued' | 'expired';

export type Entry =
  | ({ readonly kind: 'change'; readonly lines: readonly LinePlace[] } & PlacedChange)
  | { readonly kind: 'state'; readonly state: RecordState }
  | { readonly kind: 'seal'; readonly version: string; readonly at: number; readonly end: End };

/** Where the text of a line is, with its first character, which shows how it is encoded. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

/** What is appended to a file for a change. */
export function changeText({ version, at, change }: PlacedChange): string {
  const short = shortText(version, change);
  if (short !== undefined) return checked('+', short);
  const { push = [], durable: _, forget: __, ...rest } = change;
  const lines = push.map((text) => (/[\r\n]/.test(text) ? `\r${JSON.stringify(text)}` : `\r=${text}`));
  return checked('!', `${JSON.stringify({ version, at, ...rest })}${lines.join('')}`);
}

/** Without a time: if the record has the version that it expects, it had not expired for its writer. */
function shortText(version: string, change: PlacedChange['change']): string | undefined {
  for (const key in change) if (key !== 'append' && key !== 'if') return undefined;
  if (!change.if) return undefined;
  let text: string | undefined;
  for (const name in change.append) {
    if (text !== undefined || name.includes(' ')) return undefined;
    text = `${version} ${change.if} ${name} ${change.append[name]}`;
  }
  return text?.includes('\n') ? undefined : text;
}

export function sealText(version: string, at: number, end: End): string {
  return checked('$', `${version} ${at} ${end}`);
}

export function stateText(state: RecordState): string {
  // Infinity has no JSON.
  const until = Number.isFinite(state.until) ? state.until : undefined;
  return checked('#', JSON.stringify({ ...state, until, fields: [...state.fields] }));
}

/** The checksum is in decimal. It begins with the kind, so that it covers it, too. */
function checked(kind: string, text: string): string {
  return `${kind}${crc32(text, kind.charCodeAt(0))} ${text}\n`;
}

/** An entry, or text that is none: `cut` if it was not written completely, `damaged` if it was. */
export interface FoundEntry {
  readonly entry: Entry | 'cut' | 'damaged';
  /** Where what follows it begins. */
  readonly end: number;
}

/** A cut entry is followed by another one in the same line, whose text may hold `$5 `, but not all of this. */
const entryStart = /(?=[!#]\d{1,10} \{"version":|[+$]\d{1,10} [\w-]{8}\d+ )/;
const newline = 0x0a;

/** The entries of a text, as far as it consists of whole lines. */
export function* entriesIn(bytes: Buffer): Generator<FoundEntry, void, undefined> {
  for (let start = 0, end = 0; ; start = end) {
    end = bytes.indexOf(newline, start) + 1;
    if (end === 0) return;
    const entry = entryAt(bytes, start, end - 1);
    if (entry !== undefined) yield { entry, end };
    else yield* entriesBetween(bytes, start, end);
  }
}

function* entriesBetween(bytes: Buffer, from: number, end: number): Generator<FoundEntry, void, undefined> {
  let start = from;
  for (const part of bytes.toString('latin1', from, end - 1).split(entryStart)) {
    const next = start + part.length;
    const isLast = next === end - 1;
    // Without its own line end, an entry may be incomplete.
    const entry = isLast ? (entryAt(bytes, start, next) ?? 'damaged') : 'cut';
    yield { entry, end: isLast ? end : next };
    start = next;
  }
}

/** Undefined if these bytes are not exactly an entry. */
function entryAt(bytes: Buffer, start: number, end: number): Entry | undefined {
  const line = bytes.subarray(start, end);
  // Without a blank, there is no checksum either.
  const blank = line.indexOf(' ');
  const kind = line[0] as number;
  if (line.toString('latin1', 1, blank) !== String(crc32(line.subarray(blank + 1), kind))) return undefined;
  try {
    const parse = parsers[String.fromCharCode(kind)] as Parse;
    return parse(bytes, start + blank + 1, end);
  } catch {
    // No such kind, or not its text.
    return undefined;
  }
}

type Parse = (bytes: Buffer, start: number, end: number) => Entry;

const parsers: Readonly<Record<string, Parse>> = {
  '+'(bytes, start, end) {
    const text = bytes.toString('utf8', start, end);
    const [version, wanted, name] = text.split(' ', 3) as [string, string, string];
    const added = text.slice(version.length + wanted.length + name.length + 3);
    return newChange(version, Number.NEGATIVE_INFINITY, { if: wanted, append: { [name]: added } }, []);
  },
  '!'(bytes, start, end) {
    const [header, ...added] = bytes.toString('latin1', start, end).split('\r') as [string, ...string[]];
    let at = start + header.length;
    const lines = added.map(({ length }) => {
      const place = { start: at + 1, length };
      at += 1 + length;
      return place;
    });
    const { version, at: time, ...change } = JSON.parse(bytes.toString('utf8', start, start + header.length));
    // The texts stay in the file: only their number changes the state.
    return newChange(version, time, { ...change, push: lines.map(() => '') }, lines);
  },
  '#'(bytes, start, end) {
    const { fields, ...rest } = JSON.parse(bytes.toString('utf8', start, end));
    return { kind: 'state', state: { ...newRecordState(), ...rest, fields: new Map(fields) } };
  },
  $(bytes, start, end) {
    const text = bytes.toString('utf8', start, end);
    const [version, at, ending] = text.split(' ') as [string, string, End];
    return { kind: 'seal', version, at: Number(at), end: ending };
  },
};

function newChange(
  version: string,
  at: number,
  change: PlacedChange['change'],
  lines: readonly LinePlace[],
): Entry {
  return { kind: 'change', version, at, change, lines };
}

export function lineText(bytes: Buffer, { start, length }: LinePlace): string {
  const text = bytes.toString('utf8', start, start + length);
  return text[0] === '=' ? text.slice(1) : JSON.parse(text);
}
