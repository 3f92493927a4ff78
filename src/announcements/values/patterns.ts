/**
 * Whether a text matches one of the patterns, in which `*` stands for any characters. The pieces between
 * stars are found from left to right. Line ends mark both ends: neither an origin nor a path holds one.
 */
export function matchesAny(patterns: readonly string[] = ['*'], text: string): boolean {
  return [patterns].flat().some((pattern) => {
    let at = 0;
    return `\n${pattern}\n`.split('*').every((piece) => {
      const found = `\n${text}\n`.indexOf(piece, at);
      at = found + piece.length;
      return found >= 0;
    });
  });
}
