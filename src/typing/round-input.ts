import { normalForm } from './rules/word.ts';

/** Maximum number of inputs of a round, whatever its text. */
export const maxRoundInputs = 20_000;

export interface RoundInput {
  /** The character typed, or `spaceKey`, or `backspaceKey`. */
  readonly key: string;
  /** Seek time in milliseconds; 0 means not measured. */
  readonly ms: number;
  /** Its number in the round, from 1; 0 if the client does not number its inputs. */
  readonly seq: number;
  /** The id of the round that it is meant for; missing if the client does not say. */
  readonly round?: string;
}

/** @param ms seek time; default: not measured. `seq`: its number; default: not numbered. */
export function newInput(key: string, ms = 0, seq = 0, round?: string): RoundInput {
  // Words are in NFC, so keys must be too.
  const input = { key: normalForm(key), ms, seq };
  return round === undefined ? input : { ...input, round };
}

/**
 * An input as a line of text: key, seek time and number, separated by tabs (no key is one). A round keeps its
 * inputs as text because that takes a tenth of the memory of objects.
 */
export function formatInput({ key, ms, seq }: RoundInput): string {
  return `${key}\t${ms}\t${seq}\n`;
}

/** Parses the lines. Undefined if `formatInput` cannot have written them. */
export function parseInputText(text: string): RoundInput[] | undefined {
  const inputs = [...inputsIn(text)];
  return inputs.includes(undefined) ? undefined : (inputs as RoundInput[]);
}

/** The inputs in the lines, one by one; undefined for what `formatInput` cannot have written. */
export function* inputsIn(text: string): Generator<RoundInput | undefined, void, undefined> {
  const lines = text.split('\n');
  if (lines.pop() !== '') yield undefined;
  for (const line of lines) {
    const [, key, ms, seq] = /^([^\t]+)\t(\d{1,16})\t(\d{1,16})$/.exec(line) ?? [];
    yield key === undefined ? undefined : { key, ms: Number(ms), seq: Number(seq) };
  }
}
