import { toOptionWords } from '../display/option-words.ts';
import { toTerminalText } from '../output/text-width.ts';
import { UsageError } from '../program/command-errors.ts';

/** Puts the option's name before its problem. */
export function named(option: string, result: object): object {
  return 'problem' in result ? { problem: `${option}: ${result.problem}` } : result;
}

/** Wrong usage where one of the results is a problem; all of them are named at once. */
export function refuseProblems(results: readonly object[]): void {
  const problems = results.flatMap((result) =>
    'problem' in result ? [toTerminalText(toOptionWords(String(result.problem)))] : [],
  );
  if (problems.length === 1) throw new UsageError(problems.join());
  if (problems.length > 1) throw new UsageError(`several things are wrong:\n  ${problems.join('\n  ')}`);
}
