import { connect } from 'node:net';
import { setImmediate as breath } from 'node:timers/promises';
import type { Ending, FuzzCase } from './cases.ts';
import { sessionPlaces, sureRequests } from './requests.ts';

/** What went over one connection. */
export interface Exchange {
  readonly sent: Buffer;
  /** Everything that came back, a character a byte. */
  readonly output: string;
  readonly ending: Ending;
  /** Closed in order, cut off by the system, or open beyond all patience. */
  readonly outcome: 'closed' | 'cut' | 'hung';
  readonly milliseconds: number;
}

/** Longer than every time limit of the server, on a machine that is busy. */
const patience = 60_000;
/** Silence after which a request that may be incomplete is taken for incomplete. */
const pause = 15;
/** A whole request may take this long on a busy machine. */
const longestAnswer = 20_000;

/** Plays a case against a server. Resolves when the connection is closed, and never rejects. */
export function exchange(fuzzCase: FuzzCase, port: number, sessions: readonly string[]): Promise<Exchange> {
  const writes = fuzzCase.writes.map((part) => withSessions(part, sessions));
  const sent = Buffer.concat(writes);
  const { ending } = fuzzCase;
  const sure = sureRequests(sent).count;
  return new Promise((resolve) => {
    const start = performance.now();
    const chunks: Buffer[] = [];
    let answered = 0;
    let outcome: Exchange['outcome'] = 'closed';
    const socket = connect({ port, host: '127.0.0.1', localAddress: fuzzCase.client, noDelay: true });
    const hang = setTimeout(() => {
      outcome = 'hung';
      socket.destroy();
    }, patience);
    let quiet: NodeJS.Timeout | undefined;
    const endSoon = (after: number) => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.end(), after);
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      answered += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (ending === 'after-answer') endSoon(answered < sure ? longestAnswer : pause);
    });
    socket.on('error', () => {
      outcome = 'cut';
    });
    socket.on('close', () => {
      clearTimeout(hang);
      clearTimeout(quiet);
      const output = Buffer.concat(chunks).toString('latin1');
      if (!socket.writableFinished && outcome === 'closed') outcome = 'cut';
      resolve({ sent, output, ending, outcome, milliseconds: Math.round(performance.now() - start) });
    });
    socket.on('connect', async () => {
      for (const part of writes) {
        if (socket.destroyed) return;
        socket.write(part);
        if (writes.length > 1) await breath();
      }
      if (ending === 'reset') socket.resetAndDestroy();
      else if (ending === 'half-close') socket.end();
      else if (ending === 'after-answer') endSoon(sure > 0 ? longestAnswer : pause * 2);
    });
  });
}

function withSessions(bytes: Buffer, sessions: readonly string[]): Buffer {
  let text = bytes.toString('latin1');
  for (const [at, place] of sessionPlaces.entries()) text = text.replaceAll(place, sessions[at] ?? place);
  return Buffer.from(text, 'latin1');
}
