import type { Checked } from './field.ts';
import { parseLine } from './message.ts';

const longestLabel = 40;

/** The text of the link, 1 to 40 characters on one line; empty: no label. */
export function parseLinkLabel(given: unknown): Checked<string> {
  if (typeof given !== 'string') return { problem: 'the link label is not a text' };
  if (given.trim() === '') return { value: undefined };
  const result = parseLine(given, { name: 'link label', longest: longestLabel });
  return 'problem' in result ? result : { value: result.line };
}
