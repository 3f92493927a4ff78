import { StringDecoder } from 'node:string_decoder';
import { ReadStream } from 'node:tty';
import { DeclinedError, UsageError } from './command-errors.ts';
import type { CommandIo } from './command-io.ts';

/** Far more than any token has. */
const longestSecret = 4_096;

/** Asks for a secret on the terminal without showing it, or takes it from a pipe. Blanks around it do not count. */
export async function readSecret(question: string, io: CommandIo): Promise<string> {
  const { in: input } = io;
  if (!(input instanceof ReadStream) || !input.isTTY) return readAll(io);
  io.err.write(`${question}: `);
  input.setRawMode(true);
  try {
    return (await readHidden(input)).trim();
  } finally {
    input.setRawMode(false);
    input.pause();
    io.err.write('\n');
  }
}

async function readAll({ in: input }: CommandIo): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > longestSecret) throw new UsageError('standard input is longer than any token');
  }
  return text.trim();
}

/** Keys as a terminal sends them: a paste may come in one piece, with or without its line end. */
function readHidden(input: ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    let typed = '';
    const finish = (end: () => void) => {
      input.off('data', onData);
      end();
    };
    const onData = (chunk: Buffer) => {
      // What a terminal puts around a paste says nothing here.
      for (const key of decoder.write(chunk).replaceAll('\u001B[200~', '').replaceAll('\u001B[201~', '')) {
        if (key === '\r' || key === '\n' || key === '\u0004') return finish(() => resolve(typed));
        if (key === '\u0003' || typed.length > longestSecret)
          return finish(() => reject(new DeclinedError('nothing was changed')));
        typed = key === '\u007F' || key === '\b' ? typed.slice(0, -1) : typed + key;
      }
    };
    input.on('data', onData);
    input.resume();
  });
}
