import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

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
  readonly ms: number;
}

/** A connection that ended without the answer, or in the middle of it. */
export class LostAnswer extends Error {
  readonly hadBegun: boolean;
  /** Whether the connection had been kept: the server may have closed it as idle meanwhile, and one asks again (RFC 9112, 9.3.1). */
  readonly wasKept: boolean;
  constructor(hadBegun: boolean, wasKept: boolean, cause: Error) {
    super(`${hadBegun ? 'an answer was cut' : 'no answer came'}: ${cause.message}`, { cause });
    this.hadBegun = hadBegun;
    this.wasKept = wasKept;
  }
}

export type Ask = (question: Question) => Promise<Answer>;

/** Asks a server on loopback, and tells an answer that never began from one that was cut. */
export function createAsker(port: number): { readonly ask: Ask; readonly closeIdle: () => void } {
  // A connection is given up well before the server does so.
  const agent = new Agent({ keepAlive: true, maxSockets: 1000, maxFreeSockets: 1000, timeout: 2000 });
  const ask: Ask = ({ method = 'GET', path, headers = {}, body, keep = true }) =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      let hadBegun = false;
      const fail = (error: Error) => reject(new LostAnswer(hadBegun, outgoing.reusedSocket, error));
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { ...headers, ...length },
          agent: keep ? agent : false,
          timeout: 60_000,
        },
        (incoming) => {
          hadBegun = true;
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', fail);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: Buffer.concat(chunks),
              ms: performance.now() - start,
            }),
          );
        },
      );
      outgoing.on('error', fail);
      outgoing.on('timeout', () => outgoing.destroy(new Error('a minute of silence')));
      outgoing.end(body);
    });
  return { ask, closeIdle: () => agent.destroy() };
}

/** A bare connection, for what no client library would do. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.off('error', reject);
      socket.on('error', () => {});
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Everything until the server closes the connection, or half a minute of silence. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const end = () => {
      socket.destroy();
      resolve(text);
    };
    if (socket.destroyed) return end();
    socket.setTimeout(30_000, end);
    socket.on('close', end);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.resume();
  });
}
