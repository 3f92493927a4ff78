import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { WebhookTarget } from '../settings/config-parsers.ts';

/** How long a receiver may take to answer, in milliseconds. */
export const receiverTimeout = 10_000;

export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

/** `problem`: why it counts as not delivered; `aborted`: this server is shutting down. */
export type SendResult = { readonly status: number } | { readonly problem: string } | 'aborted';

/**
 * Posts a message once. Only a 2xx is a success: redirects are not followed, because the operator has not
 * allowed their target. Only the status of the answer is read.
 */
export function sendWebhook(
  { url }: WebhookTarget,
  { id, body }: WebhookMessage,
  { secret, now, signal }: { readonly secret: Buffer; readonly now: number; readonly signal: AbortSignal },
): Promise<SendResult> {
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
    const timer = setTimeout(() => outgoing.destroy(new Error(tooLate)), receiverTimeout);
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      resolve(signal.aborted ? 'aborted' : { problem: describeFailure(error) }),
    );
    outgoing.on('close', () => {
      clearTimeout(timer);
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

const tooLate = `no answer within ${receiverTimeout / 1000} s`;

/** Only the code, because the message may contain the URL. */
function describeFailure({ code, name, message }: NodeJS.ErrnoException): string {
  return message === tooLate ? message : `it cannot be reached (${code ?? name})`;
}

export interface SignedMessage {
  /** The same on every attempt. */
  readonly id: string;
  /** Time of this attempt, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of a message by the Standard Webhooks specification: `v1` is HMAC-SHA256 over id, timestamp and
 * body.
 */
export function signatureHeaders({ id, timestamp, body }: SignedMessage, secret: Buffer) {
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${mac}`,
  };
}
