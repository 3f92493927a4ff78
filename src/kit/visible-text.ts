/** Marks that nobody sees: of direction, tags, without width. Joiners stay: scripts and emoji need them. */
export const unseen =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** They, control characters, and what breaks lines. */
const hidden = new RegExp(`${unseen.source}|[\\p{Cc}\\p{Zl}\\p{Zp}]|\\p{Cs}`, 'gu');

/**
 * Makes foreign text safe for a line of a log or a terminal: characters that would start a new line, move the
 * cursor, change the reading direction or hide are escaped as in JSON, `\n` or `\u001b`.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? character.split('').map(escapedUnit).join('') : escaped;
  });
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The same, but line breaks stay: for text in which we put them ourselves. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}
