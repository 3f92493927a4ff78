import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 50 });

/** Sends exactly what it is told, which fetch would not: any Host, Origin, path or method. */
export function send(
  port: number,
  { method = 'GET', path, headers = {}, body }: Question,
  host = '127.0.0.1',
): Promise<Answer> {
  return finish(request({ host, port, method, path, headers, agent }), body);
}

export interface JsonAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly json: any;
}

/** Sends a value as JSON, or a text as it is, and reads the answer as JSON; undefined if it is empty. */
export async function sendJson(
  port: number,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<JsonAnswer> {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type: Record<string, string> =
    sent === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent)) };
  const question = { method, path, headers: { ...type, ...headers } };
  const answer = await send(port, sent === undefined ? question : { ...question, body: sent });
  return { ...answer, json: answer.body.length === 0 ? undefined : JSON.parse(answer.body.toString()) };
}

export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
}

/** Sends the rest of a request and resolves to the whole answer. */
export function finish(outgoing: ClientRequest, body: Question['body']): Promise<Answer> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Writes bytes to a bare socket and resolves to all that comes back until the server closes it, or `idleMs` of silence. */
export function sendRaw(port: number, parts: readonly (string | Buffer)[], idleMs = 15_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(idleMs, end);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('close', end);
    socket.on('error', end);
    for (const part of parts) socket.write(part);
  });
}
