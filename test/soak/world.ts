import { type Answer, type Ask, LostAnswer, type Question } from './clients/exchange.ts';
import type { Tally } from './figures/tally.ts';
import type { Ledger } from './ledger.ts';

/** Thrown to a client whose server has been told to end and did not take its request. */
export class ServerEnded extends Error {}

/** What all simulated clients of one server share. */
export interface World {
  readonly port: number;
  readonly tally: Tally;
  readonly ledger: Ledger;
  /** Asks once the gate is open, and counts the answer under its kind; a lost one is a fault unless the server is ending. */
  ask(kind: string, question: Question): Promise<Answer>;
  /** Does something that is no single request of `ask`; what goes wrong is a fault unless the server is ending. */
  act(kind: string, work: () => Promise<void>): Promise<void>;
  /** All clients stop. */
  isEnding(): boolean;
  /** Keeps clients from asking; resolves when nothing runs any more. */
  hush(): Promise<void>;
  goOn(): void;
  /** From now on the server may refuse, and, if it is to be killed, cut answers. */
  expectEnd(mayCut: boolean): void;
  /** The server is gone. */
  end(): void;
}

export function createWorld(port: number, ask: Ask, tally: Tally, ledger: Ledger): World {
  let [isEnding, mayRefuse, mayCut, running] = [false, false, false, 0];
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
        tally.record(kind, answer.ms);
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
        tally.fault(`${kind}: ${(error as Error).message}`);
        throw error;
      }
    },
    async act(kind, work) {
      const start = performance.now();
      await run(work).catch((error: Error) => {
        if (!mayRefuse) tally.fault(`${kind}: ${error.message}`);
      });
      tally.record(kind, performance.now() - start);
    },
    isEnding: () => isEnding,
    hush() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return new Promise((resolve) => {
        onQuiet = resolve;
        if (running === 0) resolve();
      });
    },
    goOn() {
      onQuiet = () => {};
      open();
    },
    expectEnd(withCuts) {
      mayRefuse = true;
      mayCut = withCuts;
    },
    end() {
      isEnding = true;
      open();
    },
  };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const chance = (share: number) => Math.random() < share;

/** A whole number from `from` to `to`, both included. */
export const between = (from: number, to: number) => from + Math.floor(Math.random() * (to - from + 1));

export const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;
