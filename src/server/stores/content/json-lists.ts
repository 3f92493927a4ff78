import type { Steps } from '../../../kit/slices.ts';
import { deepestNesting } from './json-depth.ts';

/** A JSON object without its lists, and the text of each of their elements. */
export interface SplitJson {
  /** The text with these lists emptied. */
  readonly rest: string;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/**
 * Takes lists out of the top level of a JSON object without parsing anything, because `JSON.parse` of megabytes cannot pause.
 * The text is valid JSON if `rest` and all elements are. Undefined if that is impossible because the text is broken, is nested too
 * deeply or has a name in an unusual spelling.
 */
export function* splitLists(text: string, names: readonly string[]): Steps<SplitJson | undefined> {
  const lists = new Map<string, readonly string[]>();
  const rest: string[] = [];
  let kept = 0;
  let at = afterSpace(text, 0);
  if (text[at] !== '{') return undefined;
  do {
    const name = readName(text, at + 1);
    // Duplicate names and names with escapes are left to JSON.parse.
    if (name === undefined || lists.has(name.text) || name.text.includes('\\')) return undefined;
    at = name.end;
    if (names.includes(name.text) && text[at] === '[') {
      const list = yield* splitList(text, at);
      if (list === undefined) return undefined;
      lists.set(name.text, list.elements);
      rest.push(text.slice(kept, at), '[]');
      kept = list.end;
      at = list.end;
    }
    at = endOfValue(text, at, 1);
    if (at === -1) return undefined;
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
  readonly elements: readonly string[];
  /** Just after its closing bracket. */
  readonly end: number;
}

function* splitList(text: string, bracket: number): Steps<SplitList | undefined> {
  const elements: string[] = [];
  let end = bracket;
  do {
    const start = afterSpace(text, end + 1);
    end = endOfValue(text, start, 2);
    const element = text.slice(start, beforeSpace(text, start, end));
    const isEmptyList = text[end] === ']' && elements.length === 0 && element === '';
    if (!isEmptyList) elements.push(element);
    yield;
  } while (text[end] === ',');
  return text[end] === ']' ? { elements, end: end + 1 } : undefined;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Position of the comma or bracket after a value; -1 if there is none, or brackets are nested too deeply. */
function endOfValue(text: string, from: number, depthAbove: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
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

function afterSpace(text: string, from: number): number {
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
