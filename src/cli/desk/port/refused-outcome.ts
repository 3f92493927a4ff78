import { RefusedError } from '../../program/command-errors.ts';

/** What was refused, in the words that it is refused with everywhere. */
export function missingOrigins(entries: readonly string[], list: readonly string[]): string | undefined {
  const missing = entries.filter((entry) => !list.includes(entry));
  return missing.length === 0
    ? undefined
    : `${missing.join(' and ')} is not on the list; typebadge origins list shows it`;
}

/** Throws what the rules refuse as what it is to an editor. */
export function unlessRefused<T extends object>(outcome: T): Exclude<T, { readonly problem: string }> {
  if ('problem' in outcome) throw new RefusedError(String(outcome.problem));
  return outcome as Exclude<T, { readonly problem: string }>;
}
