/** An element of a JSON list as a text, and where it ends. */
interface JsonElement {
  readonly text: string;
  readonly end: number;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
/** No list of ours has ten levels. */
const deepestNesting = 100;

/**
 * The elements of a text that is a JSON list, one after another, because `JSON.parse` of millions of them at once takes more memory than a
 * process has. Returns whether the text was a whole list; its elements are not checked.
 */
export function* readJsonElements(text: string): Generator<JsonElement, boolean, undefined> {
  const start = text.search(/\S/);
  if (text.charCodeAt(start) !== openList) return false;
  let at = start;
  let isFirst = true;
  do {
    const end = endOfElement(text, at + 1);
    if (end === -1) return false;
    const element = text.slice(at + 1, end).trim();
    const isEmptyList = isFirst && element === '' && text.charCodeAt(end) === closeList;
    if (!isEmptyList) yield { text: element, end };
    isFirst = false;
    at = end;
  } while (text.charCodeAt(at) === comma);
  return text.charCodeAt(at) === closeList && text.slice(at + 1).trim() === '';
}

/** Position of the comma or bracket after an element; -1 if it does not end, or is nested too deeply. */
function endOfElement(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = closingQuote(text, at + 1);
      if (at === -1) return -1;
    } else if (unit === openObject || unit === openList) {
      depth += 1;
      if (depth > deepestNesting) return -1;
    } else if (unit === comma || unit === closeObject || unit === closeList) {
      if (depth === 0) return at;
      if (unit !== comma) depth -= 1;
    }
  }
  return -1;
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === backslash) at += 1;
    else if (unit === quote) return at;
  }
  return -1;
}
