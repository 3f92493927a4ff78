import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { signatureHeaders } from './signature.ts';
import type { WebhookTarget } from './webhook-target.ts';

/** How long a receiver may take to answer, in milliseconds. */
export const receiverPatience = 10_000;

/** Informational answers (100, 102, 103) of one attempt: a receiver that sends them without end would keep this process busy. */
const mostInformational = 8;

export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

/** `problem`: why it counts as not delivered; `aborted`: this server is shutting down. */
export type Sent = { readonly status: number } | { readonly problem: string } | 'aborted';

/**
 * Posts a message once. Only a 2xx is a success: redirects are not followed, because the operator has not allowed their target. Only the
 * status of the answer is read.
 */
export function sendWebhook(
  { url }: WebhookTarget,
  { id, body }: WebhookMessage,
  { secret, now, signal }: { readonly secret: Buffer; readonly now: number; readonly signal: AbortSignal },
): Promise<Sent> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const timestamp = Math.floor(now / 1000);
  return new Promise((resolve) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent: false,
        signal,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'typebadge',
          ...signatureHeaders({ id, timestamp, body }, secret),
        },
      },
      (answer) => {
        const { statusCode: status = 0 } = answer;
        resolve(status >= 200 && status < 300 ? { status } : { problem: describeStatus(status) });
        answer.destroy();
      },
    );
    const patience = setTimeout(() => outgoing.destroy(new Error(tooLate)), receiverPatience);
    let informational = 0;
    outgoing.on('information', () => {
      informational += 1;
      if (informational > mostInformational) outgoing.destroy(new Error(neverFinal));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      resolve(signal.aborted ? 'aborted' : { problem: describeFailure(error) }),
    );
    outgoing.on('upgrade', ({ statusCode: status = 101 }, socket) => {
      resolve({ problem: describeStatus(status) });
      socket.destroy();
    });
    outgoing.on('close', () => {
      clearTimeout(patience);
      // A promise that never settles would block this receiver until the server restarts.
      resolve(signal.aborted ? 'aborted' : { problem: 'the connection was closed without an answer' });
    });
    outgoing.end(body);
  });
}

function describeStatus(status: number): string {
  return status >= 300 && status < 400
    ? `it answered ${status}, and redirects are not followed`
    : `it answered ${status}`;
}

const tooLate = `no answer within ${receiverPatience / 1000} s`;
const neverFinal = `it sent more than ${mostInformational} informational answers before the final one`;

/** Only the code, because the message may contain the URL. */
function describeFailure({ code, name, message }: NodeJS.ErrnoException): string {
  return message === tooLate || message === neverFinal ? message : `it cannot be reached (${code ?? name})`;
}
