import type { Stores } from '../../stores/ports.ts';
import type { Library } from '../library/library.ts';
import type { RoundAllowance } from './round-allowance.ts';

export interface TypingGameOptions {
  readonly stores: Pick<Stores, 'sessions' | 'rounds'>;
  readonly library: Library;
  /** Undefined: every round gets a `newSeed`. */
  readonly seed: number | undefined;
  readonly newSeed: () => number;
  /** Of a session. */
  readonly newId: () => string;
  /** A UUID. */
  readonly newRoundId: () => string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly allowance: RoundAllowance;
  /** Called once for each finished round. */
  readonly onRound?: (() => void) | undefined;
}
