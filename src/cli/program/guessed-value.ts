import type { Command } from 'commander';
import { findSimilar } from '../../kit/similar-name.ts';

/**
 * What to say of an option whose value is missing or refused, as a sentence: what it takes, or the value that may have been meant.
 * Undefined where there is nothing to add.
 *
 * @param problem the sentence that refuses it
 */
export function guessValue(problem: string, command: Command): string | undefined {
  const [, flags, value] =
    /^option '([^']*)' argument (?:missing|'(.*)' is invalid\..*)$/s.exec(problem) ?? [];
  const option = command.options.find((one) => one.flags === flags);
  if (option === undefined) return undefined;
  const { long, argChoices, description } = option;
  if (value === undefined)
    return argChoices ? `It is one of ${argChoices.join(', ')}.` : `It is for: ${description}.`;
  const meant = findSimilar(value, argChoices ?? []);
  return meant === undefined ? undefined : `Did you mean ${long} ${meant}?`;
}
