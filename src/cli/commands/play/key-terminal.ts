import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/** Where the keys come from: standard input, or the terminal itself while standard input is a pipe with a text. */
export function openKeyTerminal(isPiped: boolean): ReadStream & { readonly fd: number } {
  if (!isPiped) return process.stdin;
  try {
    const fd = openSync('/dev/tty', 'r+');
    return Object.assign(new ReadStream(fd), { fd });
  } catch {
    throw new Error('play needs a terminal to read keys from, and this process has none (/dev/tty).');
  }
}
