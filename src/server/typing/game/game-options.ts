import type { Stores } from '../../stores/ports.ts';
import type { Library } from '../library/library.ts';
import type { RoundAllowance } from './round-allowance.ts';

export interface TypingGameOptions {
  readonly stores: Pick<Stores, 'sessions' | 'rounds'>;
  readonly library: Library;
  /** Undefined: `newSeed` for every round. */
  readonly seed: number | undefined;
  readonly newSeed: () => number;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly allowance: RoundAllowance;
  /** Called once for each round that is finished. */
  readonly onRound?: (() => void) | undefined;
}
