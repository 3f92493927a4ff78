import { type Answer, type Ask, LostAnswer, type Question } from './clients/exchange.ts';
import type { Tally } from './figures/tally.ts';
import type { Ledger } from './ledger.ts';

/** Thrown to a client whose server has been told to end and did not take its request. */
export class ServerEnded extends Error {}

/** What all simulated clients share. */
export interface World {
  readonly port: number;
  readonly tally: Tally;
  readonly ledger: Ledger;
  /** Asks once the gate is open, and counts the answer under its kind; a lost one is a fault unless the server is ending. */
  ask(kind: string | ((answer: Answer) => string), question: Question): Promise<Answer>;
  /** Does something that is no single request of `ask`; counted as running while it lasts. */
  during(work: () => Promise<void>): Promise<void>;
  /** Put behind the kinds of typists' requests, so that figures of one phase are told from another's. */
  phase(): string;
  setPhase(phase: string): void;
  /** Whether some client has been refused: all stop. */
  isEnding(): boolean;
  /** Whether the server has been told to end, so that it may refuse. */
  mayRefuse(): boolean;
  /** Keeps clients from caller; resolves when nothing runs any more. */
  hush(): Promise<void>;
  goOn(): void;
  /** From now on the server may refuse, and, if it is to be killed, cut answers. */
  expectEnd(mayCut: boolean): void;
}

export function createWorld(port: number, ask: Ask, tally: Tally, ledger: Ledger): World {
  let isEnding = false;
  let phase = '';
  let mayRefuse = false;
  let mayCut = false;
  let running = 0;
  let gate: Promise<void> = Promise.resolve();
  let open = () => {};
  let onQuiet = () => {};

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    await gate;
    running++;
    try {
      return await work();
    } finally {
      running--;
      if (running === 0) onQuiet();
    }
  };
  return {
    port,
    tally,
    ledger,
    async ask(kind, question) {
      try {
        const answer = await run(() => ask(question));
        tally.record(typeof kind === 'string' ? kind : kind(answer), answer.ms);
        return answer;
      } catch (error) {
        if (mayRefuse && error instanceof LostAnswer && (mayCut || !error.hadBegun)) {
          isEnding = true;
          throw new ServerEnded();
        }
        if (error instanceof LostAnswer && !error.hadBegun && error.wasKept && question.keep !== false) {
          tally.record('asked again, a kept connection was closed', 0);
          return this.ask(kind, { ...question, keep: false });
        }
        tally.fault(`${typeof kind === 'string' ? kind : question.path}: ${(error as Error).message}`);
        throw error;
      }
    },
    during: run,
    phase: () => phase,
    setPhase(text) {
      phase = text;
    },
    isEnding: () => isEnding,
    mayRefuse: () => mayRefuse,
    hush() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return new Promise((resolve) => {
        onQuiet = resolve;
        if (running === 0) resolve();
      });
    },
    goOn: () => {
      onQuiet = () => {};
      open();
    },
    expectEnd(withCuts) {
      mayRefuse = true;
      mayCut = withCuts;
    },
  };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const chance = (share: number) => Math.random() < share;

/** A whole number from `from` to `to`, both included. */
export const between = (from: number, to: number) => from + Math.floor(Math.random() * (to - from + 1));

export const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;
