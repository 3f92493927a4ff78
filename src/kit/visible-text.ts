/** Control characters, and marks that change the direction of text or break lines. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/**
 * Makes foreign text safe for a line of a log or a terminal: characters that would start a new line, move the
 * cursor or change the reading direction are escaped as in JSON, `\n` or `\u001b`.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped;
  });
}

/** The same, but line breaks stay: for text in which we put them ourselves. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}
