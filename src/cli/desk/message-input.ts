import { UsageError } from '../program/command-errors.ts';
import type { CommandIo } from '../program/command-io.ts';

/** Far more than a message may have, far less than would hurt. */
const longestInput = 65_536;

/** The message as given: the words themselves, or all of standard input for `-`; undefined where there is none. */
export async function readMessage(words: readonly string[], io: CommandIo): Promise<string | undefined> {
  const [message, ...more] = words;
  if (more.length > 0) {
    throw new UsageError(
      `the message arrived as ${words.length} arguments; put it in quotes: "${words.join(' ')}"`,
    );
  }
  return message === '-' ? readInput(io) : message;
}

async function readInput(io: CommandIo): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.in) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > longestInput) throw new UsageError('standard input is longer than any message may be');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('standard input is not UTF-8 text');
  }
}
