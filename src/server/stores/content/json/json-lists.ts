import type { Steps } from '../../../../kit/slices.ts';
import { deepestNesting } from './json-depth.ts';

/** The elements of a list, each with its text and its position. */
export interface JsonList {
  readonly elements: readonly string[];
  readonly starts: readonly number[];
}

/** A JSON object without its lists, and the text of each of their elements. */
export interface SplitJson {
  /** The text with these lists emptied; undefined if it could not be split to its end. */
  readonly rest: string | undefined;
  /** What was found of them, in the order of the text. */
  readonly lists: ReadonlyMap<string, JsonList>;
}

/**
 * Takes lists out of the top level of a JSON object without parsing anything, because `JSON.parse` of megabytes cannot pause.
 * The text is valid JSON if `rest` and all elements are. Stops before the end if the text is broken or nested too deeply, has one
 * of the names twice or any in an unusual spelling, or has a value that is too long to be parsed without a pause.
 */
export function* splitLists(text: string, names: readonly string[]): Steps<SplitJson> {
  const lists = new Map<string, JsonList>();
  const stopped = { rest: undefined, lists };
  const seen = new Set<string>();
  const rest: string[] = [];
  let kept = 0;
  let at = afterSpace(text, 0);
  if (text[at] !== '{') return stopped;
  do {
    const name = readName(text, at + 1);
    // Duplicate names and names with escapes are left to JSON.parse.
    if (name === undefined || seen.has(name.text) || name.text.includes('\\')) return stopped;
    if (names.includes(name.text)) seen.add(name.text);
    at = name.end;
    if (seen.has(name.text) && text[at] === '[') {
      const { list, end } = yield* splitList(text, at);
      lists.set(name.text, list);
      if (end === undefined) return stopped;
      rest.push(text.slice(kept, at), '[]');
      kept = end;
      at = end;
    }
    at = endOfValue(text, at, 1);
    if (at === -1) return stopped;
    yield;
  } while (text[at] === ',');
  return { rest: rest.join('') + text.slice(kept), lists };
}

/** The name expected here, as written, and where its value begins. */
function readName(text: string, from: number): { readonly text: string; readonly end: number } | undefined {
  const start = afterSpace(text, from);
  if (text[start] !== '"') return undefined;
  const end = closingQuote(text, start);
  const colon = end === -1 ? -1 : afterSpace(text, end + 1);
  if (text[colon] !== ':') return undefined;
  return { text: text.slice(start + 1, end), end: afterSpace(text, colon + 1) };
}

interface SplitList {
  readonly list: JsonList;
  /** Just after its closing bracket; undefined if the list could not be split to its end. */
  readonly end: number | undefined;
}

function* splitList(text: string, bracket: number): Steps<SplitList> {
  const elements: string[] = [];
  const starts: number[] = [];
  const list = { elements, starts };
  let end = bracket;
  do {
    const start = afterSpace(text, end + 1);
    end = endOfValue(text, start, 2);
    if (end === -1) return { list, end: undefined };
    const element = text.slice(start, beforeSpace(text, start, end));
    const isEmptyList = text[end] === ']' && elements.length === 0 && element === '';
    if (!isEmptyList) {
      elements.push(element);
      starts.push(start);
    }
    yield;
  } while (text[end] === ',');
  return { list, end: text[end] === ']' ? end + 1 : undefined };
}

/** UTF-16 units of the longest value that is looked at: with a quotation mark missing, it might never end. */
const longestValue = 1024 * 1024;

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Position of the comma or bracket after a value; -1 if it is too long or nested too deeply, or does not end. */
function endOfValue(text: string, from: number, depthAbove: number): number {
  let depth = 0;
  const last = Math.min(text.length, from + longestValue);
  for (let at = from; at < last; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = closingQuote(text, at);
      if (at === -1) return -1;
    } else if (unit === openObject || unit === openList) {
      depth += 1;
      if (depth + depthAbove > deepestNesting) return -1;
    } else if (unit === comma || unit === closeObject || unit === closeList) {
      if (depth === 0) return at;
      if (unit !== comma) depth -= 1;
    }
  }
  return -1;
}

function closingQuote(text: string, opening: number): number {
  let at = text.indexOf('"', opening + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

/** Whether an odd number of backslashes precedes it; two backslashes are an escaped backslash. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

/** The first position from `from` on that is not white space. */
export function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function beforeSpace(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Whether a UTF-16 unit is white space in JSON, which has only these four (RFC 8259, section 2). */
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
