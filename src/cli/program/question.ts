import { createInterface } from 'node:readline/promises';
import type { CommandIo } from './command-io.ts';

/** Asks on the terminal; anything but a clear yes is a no, and so is Ctrl+C or Ctrl+D. */
export async function askYesNo(question: string, io: CommandIo): Promise<boolean> {
  const terminal = createInterface({ input: io.in });
  const ended = new Promise<string>((resolve) => {
    terminal.once('line', resolve);
    terminal.once('close', () => resolve(''));
    terminal.once('SIGINT', () => terminal.close());
  });
  io.out.write(`${question} (y/n) `);
  try {
    return /^\s*y(?:es)?\s*$/i.test(await ended);
  } finally {
    terminal.close();
  }
}
