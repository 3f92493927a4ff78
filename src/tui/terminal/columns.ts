import stringWidth from 'string-width';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const styling = /\x1b\[[\d;]*m/g;

/** Columns that a text takes on the terminal; its colours take none. */
export function toColumns(text: string): number {
  const bare = text.includes('\x1b') ? text.replace(styling, '') : text;
  for (let at = 0; at < bare.length; at += 1) {
    if (!isSingle(bare.charCodeAt(at))) return stringWidth(bare);
  }
  return bare.length;
}

/** Letters, lines, blocks and arrows are known to take one column; only the rest is worth a library. */
export function isSingle(code: number): boolean {
  if (code < 0x300) return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code !== 0xad);
  return (
    (code >= 0x2500 && code < 0x25fd) ||
    (code >= 0x2010 && code < 0x2028) ||
    (code >= 0x2030 && code < 0x2060) ||
    (code >= 0x2190 && code < 0x231a)
  );
}
