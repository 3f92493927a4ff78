/** A line of a text, its number, and where it ends. */
interface TextLine {
  readonly line: string;
  readonly number: number;
  readonly end: number;
}

/** The lines of a text, one after another: millions of them at once would take more memory than the text. */
export function* readTextLines(text: string): Generator<TextLine> {
  let number = 1;
  for (let at = 0; at < text.length; number += 1) {
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed;
    yield { line: text.slice(at, text[end - 1] === '\r' ? end - 1 : end), number, end };
    at = end + 1;
  }
}

export function firstLine(text: string): string {
  return text.slice(0, text.search(/[\r\n]|$/));
}
