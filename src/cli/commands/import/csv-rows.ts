/** A row of a CSV text, and the number of the line that it begins on. */
interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
  /** Where in the text it ends. */
  readonly end: number;
}

/** A row of a hundred million commas would take more memory than there is; those that nobody exports end here. */
const mostFields = 1_000;

/**
 * The rows of a CSV text (RFC 4180), one after another; empty lines are left out. A quote that is never closed takes the rest of the text.
 * All fields beyond the thousandth count as one, which is empty.
 * Not a regular expression: a quoted field of some megabytes would exhaust its stack.
 */
export function* readCsvRows(text: string, delimiter: string): Generator<CsvRow, undefined, undefined> {
  let fields: string[] = [];
  let [at, line, begun] = [0, 1, 1];
  while (at < text.length) {
    const { value, end } = readField(text, at, delimiter);
    if (fields.length < mostFields) fields.push(value);
    else fields[mostFields] = '';
    line += countLineFeeds(text, at, end);
    at = end;
    if (text[at] === delimiter) {
      at++;
      if (at < text.length) continue;
      fields.push('');
    } else if (text.startsWith('\r\n', at)) at += 2;
    else at++;
    if (fields.length > 1 || fields[0] !== '') yield { line: begun, fields, end: at };
    fields = [];
    line++;
    begun = line;
  }
  return undefined;
}

/** The field that begins at `at`, and where it ends: at a delimiter, a line break or the end of the text. */
function readField(text: string, at: number, delimiter: string): { value: string; end: number } {
  if (text[at] !== '"') {
    const end = findFieldEnd(text, at, delimiter);
    return { value: text.slice(at, end), end };
  }
  let close = at + 1;
  for (;;) {
    close = text.indexOf('"', close);
    if (close === -1) return { value: text.slice(at + 1).replaceAll('""', '"'), end: text.length };
    if (text[close + 1] !== '"') break;
    close += 2;
  }
  const end = findFieldEnd(text, close + 1, delimiter);
  return { value: text.slice(at + 1, close).replaceAll('""', '"') + text.slice(close + 1, end), end };
}

function findFieldEnd(text: string, from: number, delimiter: string): number {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return end;
}

/** Looks no further than `to`: a search for the next line feed would read a long line to its end for each of its fields. */
function countLineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text[at] === '\n') count++;
  return count;
}
