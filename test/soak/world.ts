import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { InputEvent } from '../../src/contract/request-types.ts';
import type { Tally } from './figures.ts';
import type { Player } from './player.ts';

/** What a server has acknowledged of one open session. Times are milliseconds since 1970. */
export interface SessionEntry {
  readonly id: string;
  readonly player: Player;
  words: readonly string[];
  /** When the round was acknowledged; 0 before the first. */
  roundAt: number;
  /** Everything to type in this round, numbered from 1. */
  events: readonly InputEvent[];
  /** The highest number that has been sent. */
  sent: number;
  /** The highest numbers acknowledged, with the time of each acknowledgement. */
  acknowledged: { readonly seq: number; readonly at: number }[];
  /** The timing of this round, once it was sent. */
  duration: number | undefined;
  /** The durations of rounds that are timed and not yet known to be saved. */
  unsaved: number[];
  /** What was asked last and is not answered yet. */
  pending: string | undefined;
}

/** Everything that typists have been promised. */
export interface Ledger {
  readonly sessions: Map<string, SessionEntry>;
  /** When a round was timed and saved, by its duration, which is its name: no two have the same. */
  readonly finished: Map<number, { timedAt: number | undefined; savedAt: number | undefined }>;
  readonly nextDuration: () => number;
}

export function newLedger(): Ledger {
  let next = 60_000;
  return { sessions: new Map(), finished: new Map(), nextDuration: () => next++ };
}

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the connection is kept for the next request. Default: true. */
  readonly keep?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A connection that ended without the answer, or in the middle of it. */
class LostAnswer extends Error {
  readonly hadBegun: boolean;
  /** Whether the connection had been kept: the server may have closed it as idle meanwhile, and one asks again (RFC 9112, 9.3.1). */
  readonly wasKept: boolean;
  constructor(hadBegun: boolean, wasKept: boolean, cause: Error) {
    super(`${hadBegun ? 'an answer was cut' : 'no answer came'}: ${cause.message}`, { cause });
    this.hadBegun = hadBegun;
    this.wasKept = wasKept;
  }
}

/** Thrown to a client that is to stop. */
export class Ended extends Error {}

export type World = ReturnType<typeof createWorld>;

/** What all simulated clients of one crowd share. */
export function createWorld(port: number, tally: Tally, ledger: Ledger) {
  // A connection is given up well before the server does so.
  const agent = new Agent({ keepAlive: true, maxSockets: 1000, maxFreeSockets: 1000, timeout: 2000 });
  let [isEnding, mayRefuse, mayCut] = [false, false, false];

  /** Tells an answer that never began from one that was cut. */
  const send = ({ method = 'GET', path, headers = {}, body, keep = true }: Question) =>
    new Promise<Answer>((resolve, reject) => {
      let hadBegun = false;
      const fail = (error: Error) => reject(new LostAnswer(hadBegun, outgoing.reusedSocket, error));
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const outgoing = request({
        ...{ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } },
        ...{ agent: keep ? agent : false, timeout: 60_000 },
      });
      outgoing.on('response', (incoming) => {
        hadBegun = true;
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        incoming.on('end', () => {
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, headers, body: Buffer.concat(chunks) });
        });
      });
      outgoing.on('error', fail);
      outgoing.on('timeout', () => outgoing.destroy(new Error('a minute of silence')));
      outgoing.end(body);
    });

  return {
    port,
    tally,
    ledger,
    /** Counts the answer under its kind; a lost one is a fault unless the server is ending. */
    async ask(kind: string, question: Question): Promise<Answer> {
      if (isEnding) throw new Ended();
      const start = performance.now();
      try {
        const answer = await send(question);
        tally.record(kind, performance.now() - start);
        return answer;
      } catch (error) {
        const { hadBegun, wasKept, message } = error as LostAnswer;
        if (mayRefuse && (mayCut || !hadBegun)) {
          isEnding = true;
          throw new Ended();
        }
        if (!hadBegun && wasKept && question.keep !== false) {
          tally.record('asked again, a kept connection was closed', 0);
          return this.ask(kind, { ...question, keep: false });
        }
        tally.fault(`${kind}: ${message}`);
        throw error;
      }
    },
    /** Does something that is no single request of `ask`; what goes wrong is a fault unless the server is ending. */
    async act(kind: string, work: () => Promise<unknown>): Promise<void> {
      const start = performance.now();
      await work().catch((error: Error) => {
        if (!mayRefuse) tally.fault(`${kind}: ${error.message}`);
      });
      tally.record(kind, performance.now() - start);
    },
    isEnding: () => isEnding,
    /** From now on the server may refuse, and, if it is to be killed, cut answers. */
    expectEnd(withCuts: boolean): void {
      mayRefuse = true;
      mayCut = withCuts;
    },
    /** All clients stop. */
    end(): void {
      isEnding = true;
    },
    closeIdle: () => agent.destroy(),
  };
}

/** A client of a crowd: what was wrong has been counted, and after a moment it begins again. */
export async function keepRunning(world: World, run: () => Promise<void>): Promise<void> {
  while (!world.isEnding()) {
    await run().catch(async (error) => {
      if (!(error instanceof Ended)) await pause(500);
    });
  }
}

export const chance = (share: number) => Math.random() < share;

/** A whole number from `from` to `to`, both included. */
export const between = (from: number, to: number) => from + Math.floor(Math.random() * (to - from + 1));

export const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T;
