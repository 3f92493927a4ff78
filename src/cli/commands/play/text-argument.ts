import { existsSync } from 'node:fs';
import { toVisible } from '../../../kit/visible-text.ts';
import { UsageError } from '../../program/command-errors.ts';
import { type PracticeFlags, toMode } from './practice-flags.ts';

/** The file to type, `-` for standard input: given as the argument or with `--text`. */
export async function toTextFile(
  flags: PracticeFlags,
  input: string | undefined,
): Promise<string | undefined> {
  if (input === undefined) return flags.text;
  if (input !== '-' && !existsSync(input)) throw new UsageError(await toUnknown(input));
  if (flags.text !== undefined || toMode(flags) !== undefined) {
    throw new UsageError(`"${toVisible(input)}" already names a text: leave the other mode out.`);
  }
  return input;
}

async function toUnknown(input: string): Promise<string> {
  const hint = await toHint(input.toLowerCase());
  return `play takes a text file, or "-" for standard input, and there is no file "${toVisible(input)}".${hint}`;
}

const modes = ['quote', 'code', 'guided', 'drill', 'time', 'words', 'text'];

/** People try a word or a number before they look for its flag. */
async function toHint(input: string): Promise<string> {
  const [, number] = /^(\d{1,3})s?$/.exec(input) ?? [];
  if (number !== undefined) return ` Seconds are --time ${number}, words --words ${number}.`;
  if (modes.includes(input)) return ` The mode is --${input}.`;
  const { findPracticeFlag } = await import('../../typist/practice-names.ts');
  const flag = findPracticeFlag(input);
  return flag === undefined ? '' : ` Did you mean ${flag}?`;
}
