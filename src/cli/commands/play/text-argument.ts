import { existsSync } from 'node:fs';
import { toVisible } from '../../../kit/visible-text.ts';
import { UsageError } from '../../program/command-errors.ts';
import { type PracticeFlags, toMode } from './practice-flags.ts';

/** The file or folder to type, `-` for standard input: given as the argument or with `--text`. */
export async function toTextFile(
  flags: PracticeFlags,
  input: string | undefined,
): Promise<string | undefined> {
  if (input === undefined) return flags.text ?? (flags.file === undefined ? undefined : '.');
  if (input !== '-' && !existsSync(input)) throw new UsageError(await toUnknown(input));
  if (flags.text !== undefined || toMode(flags) !== undefined) {
    throw new UsageError(`"${toVisible(input)}" already names a text: leave the other mode out.`);
  }
  return input;
}

async function toUnknown(input: string): Promise<string> {
  const { toWordHint } = await import('./unknown-option.ts');
  const hint = await toWordHint(input);
  return `play takes a text file, a folder, or "-" for standard input, and there is no file "${toVisible(input)}".${hint}`;
}
