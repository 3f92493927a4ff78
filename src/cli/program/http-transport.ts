import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse, Transport } from '../../contract/transport.ts';
import { type HttpAnswer, HttpFailure, openConnection } from '../../kit/http-connection.ts';
import { RefusedError } from './command-io.ts';

/** How long a server may take for its answer, in milliseconds. */
const timeout = 15_000;
/** In bytes: several times the longest page of a list. */
const maxAnswer = 8 * 1024 * 1024;
/** Milliseconds before each further attempt, for requests that are harmless to repeat. */
const pauses = [300, 1_000];
/** A long list may exceed the limit of a server. Max seconds to wait after a 429, and how often. */
const [maxWait, maxWaits] = [2, 5];

/**
 * An API of a server elsewhere, over HTTP. Sends a request again if there was no answer and that is harmless:
 * a POST has an Idempotency-Key. Rejects with a RefusedError if no typebadge server answers, or if its
 * certificate cannot be trusted; it never holds the token.
 *
 * @param server scheme, host, and the path below which the API is
 * @param token sent as bearer token to this server alone
 */
export function createHttpTransport(server: string, token: string | undefined): Transport {
  const connection = openConnection(new URL(server), {
    token,
    idleTimeout: timeout,
    deadline: timeout,
    maxAnswer,
  });
  return async ({ headers, ...request }, signal) => {
    const isPost = request.method === 'POST';
    const keyed = isPost ? { 'idempotency-key': randomUUID(), ...headers } : { ...headers };
    const repeats = isPost || request.method === 'GET' ? pauses : [];
    let mayHaveArrived = false;
    for (let failures = 0, waits = 0; ; ) {
      try {
        const answer = readAnswer(server, await connection.send({ ...request, headers: keyed }, signal));
        const seconds = Number(answer.headers['retry-after']) || 1;
        if (answer.status !== 429 || seconds > maxWait || waits === maxWaits) return answer;
        waits += 1;
        await sleep(seconds * 1_000);
      } catch (error) {
        if (!(error instanceof HttpFailure)) throw error;
        mayHaveArrived ||= request.method !== 'GET' && !unconnected.has(error.code ?? '');
        const certain = describeCertificate(server, error.code);
        const pause = certain === undefined && error.code !== 'EMSGSIZE' ? repeats[failures] : undefined;
        if (pause === undefined)
          throw new RefusedError(certain ?? describeFailure(server, error, mayHaveArrived));
        failures += 1;
        await sleep(pause);
      }
    }
  };
}

/** Parses an answer. One that is neither a JSON success nor an error of the API came from another program. */
function readAnswer(server: string, { status, headers, text }: HttpAnswer): ApiResponse {
  const ok = status >= 200 && status < 300;
  const body = parseJson(text);
  const { code, error } = Object(body) as Record<string, unknown>;
  const isAnswer = ok ? typeof body === 'object' && body !== null : typeof (code ?? error) === 'string';
  if (isAnswer || (ok && text === '')) return { status, body, headers };
  throw new RefusedError(
    `${server} does not answer as a typebadge server does (status ${status}); check the address`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unknownIssuer = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

/** What is wrong with the certificate of a server, and what to do; undefined for other failures. */
export function describeCertificate(server: string, code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (unknownIssuer.has(code))
    return `this computer does not know who issued the certificate of ${server} (${code}). If that is your own certificate authority, save its certificate as a file and set NODE_EXTRA_CA_CERTS to it: NODE_EXTRA_CA_CERTS=/path/to/ca.pem typebadge …; if not, do not go on, and ask the operator of the server`;
  if (/^ERR_SSL/.test(code))
    return `${server} cannot be trusted: it does not speak TLS at that port; check the address (behind a TLS proxy, it is that of the proxy) (${code})`;
  return /CERT/.test(code)
    ? `${server} cannot be trusted: check its address, the dates of its certificate and the clock of this computer (${code})`
    : undefined;
}

/** Nothing was sent, because there was no connection. */
const unconnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Why there is no answer, and whether the change may have been made. */
function describeFailure(server: string, { code, message }: HttpFailure, mayHaveArrived: boolean): string {
  if (code === 'EMSGSIZE') return 'the answer from the server is too long';
  const silence = code === 'ETIMEDOUT' ? `nothing within ${timeout / 1000} s` : undefined;
  const reason = silence ?? (code === 'EBADMSG' ? message : (code ?? message));
  const doubt = mayHaveArrived
    ? ' It is not known whether the change was made: check before you try again.'
    : '';
  return `no server answers at ${server} (${reason}); check the address and your network.${doubt}`;
}
