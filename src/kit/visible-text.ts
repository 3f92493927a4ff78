/** Control characters, and marks that turn the direction of the text around them or break its line. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/**
 * Foreign text, safe for a line of a log or a terminal: what would begin a line of its own, move the cursor or
 * turn the reading direction is written as JSON writes it, `\n` or `\u001b`.
 */
export function toVisible(text: string): string {
  return text.replace(hidden, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped;
  });
}

/** The same for text of several lines that are our own: line breaks stay. */
export function toVisibleLines(text: string): string {
  return text.split('\n').map(toVisible).join('\n');
}
