import type { Log } from '../../../settings/log.ts';
import type { DamageListener, LaterListener } from './journal/journal-damage.ts';

/** Reports problems of a journal to the operator. */
export interface JournalWarnings {
  readonly onDamage: DamageListener;
  readonly onLater: LaterListener;
  readonly onProblem: (problem: Error) => void;
}

export function warnIn(log: Log): JournalWarnings {
  return {
    onDamage: (lines, aside) =>
      log.error(
        `${lines} damaged ${lines === 1 ? 'line' : 'lines'} of the round journal cannot be read and do not count`,
        { kept: aside ?? 'in the journal itself' },
      ),
    onLater: (lines) =>
      log.error(
        `${lines} ${lines === 1 ? 'round was' : 'rounds were'} written by a later version of typebadge: left as they are, not counted`,
      ),
    onProblem: ({ message }) => log.error(`the round journal cannot be read: ${message}`),
  };
}
