import type { CommandIo } from '../program/command-io.ts';
import { chosenServer, type DeskOptions, type OpenDesk, type OpeningOptions } from './desk-place.ts';

/** Opens the place that options, variables or the last login name; only the code for it is loaded. */
export async function openDesk(
  options: DeskOptions,
  io: CommandIo,
  opening: OpeningOptions = {},
): Promise<OpenDesk> {
  const chosen = await chosenServer(options, io.env);
  const desk =
    chosen === undefined
      ? await (await import('./local-desk.ts')).openLocalDesk(options, io, opening)
      : await (await import('./server-desk.ts')).openServerDesk(chosen, options, io);
  const [place] = (['server', 'store', 'content'] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[`--${name}`, value]];
  });
  const command = (...words: readonly string[]) =>
    ['typebadge', ...words, ...(place ?? [])].map(shellWord).join(' ');
  return { ...desk, command };
}

/** A text as one word of a command line that can be pasted, quoted if the shell needs it. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
