import type { KeyReport } from '../../typing/rules/step.ts';

/** What can be wanted or typed: no space, and nothing that a terminal obeys. */
const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const letter = /^\p{L}$/u;

/**
 * Wrong keys for or with signs and digits, such as ",>.", and how often. The session API counts letters only: without these
 * a typist of code would see only a few of the mistakes.
 */
export function countSignErrors(reports: readonly KeyReport[]): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const { kind, key, word, at, isRight } of reports) {
    const wanted = word[at];
    if (kind !== 'character' || isRight || wanted === undefined) continue;
    if (!visible.test(wanted) || !visible.test(key) || (letter.test(wanted) && letter.test(key))) continue;
    const pair = `${wanted}>${key}`;
    errors[pair] = (errors[pair] ?? 0) + 1;
  }
  return errors;
}

/** A wrong key, and how often. */
export interface KeyError {
  readonly wanted: string;
  readonly typed: string;
  readonly count: number;
}

/** Errors as they are kept, the most frequent first. The record may come from anywhere: what cannot be shown is left out. */
export function toKeyErrors(errors: Readonly<Record<string, number>>): KeyError[] {
  return Object.entries(errors)
    .flatMap(([pair, count]) => {
      const [wanted = '', between, typed = '', ...rest] = pair;
      const isShown = visible.test(wanted) && between === '>' && visible.test(typed) && rest.length === 0;
      return isShown ? [{ wanted, typed, count }] : [];
    })
    .sort((a, b) => b.count - a.count);
}
