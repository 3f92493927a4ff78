import { UsageError } from '../../../program/command-io.ts';

/**
 * The text of a file. In another encoding than UTF-8, letters with accents would be signs that nobody can
 * read or type, and nobody knows which encoding it is.
 *
 * @param name of the file, as part of a sentence
 */
export function decodedText(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // With a zero in it, it is UTF-16 or no text at all.
    const hint = bytes.includes(0)
      ? '.'
      : '. If it is Latin-1, convert it: iconv -f latin1 -t utf-8 old.txt > new.txt';
    throw new UsageError(`the text from ${name} is not UTF-8${hint}`);
  }
}
