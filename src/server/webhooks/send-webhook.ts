import { createHash, createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

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

/** A receiver of webhooks. */
export interface WebhookTarget {
  readonly url: URL;
  /** A hash of the URL; stored instead of the URL, which may itself be a secret. */
  readonly key: string;
  /** Scheme and host, for the log. */
  readonly name: string;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Throws an error whose sentence does not repeat the URL. */
export function parseWebhookTarget(text: string): WebhookTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error('A webhook is an address such as https://hooks.example.org/typebadge.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('A webhook has no user name and password: receivers check its signature.');
  }
  if (url.protocol === 'http:' && !loopback.test(url.hostname)) {
    throw new Error('A webhook beyond this machine needs https.');
  }
  url.hash = '';
  const key = createHash('sha256').update(url.href).digest('base64url').slice(0, 22);
  return { url, key, name: url.origin };
}

/** Between 24 and 64 bytes, as required by Standard Webhooks. */
const minSecret = 24;
const maxSecret = 64;

/** Parses `whsec_<base64>`. The problem never repeats the text. */
export function parseWebhookSecret(text: string): { readonly secret: Buffer } | { readonly problem: string } {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  const secret = Buffer.from(encoded ?? '', 'base64');
  if (encoded === undefined || secret.length < minSecret || secret.length > maxSecret) {
    return {
      problem: `it must be whsec_ and ${minSecret} to ${maxSecret} bytes in base64; make one with: echo "whsec_$(openssl rand -base64 32)"`,
    };
  }
  return { secret };
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
