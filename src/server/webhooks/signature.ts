import { createHmac } from 'node:crypto';

/** Between 24 and 64 bytes, as required by Standard Webhooks. */
const shortestSecret = 24;
const longestSecret = 64;

/** Parses `whsec_<base64>`. The problem never repeats the text. */
export function parseWebhookSecret(text: string): { readonly secret: Buffer } | { readonly problem: string } {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  const secret = Buffer.from(encoded ?? '', 'base64');
  if (encoded === undefined || secret.length < shortestSecret || secret.length > longestSecret) {
    return {
      problem: `it must be whsec_ and ${shortestSecret} to ${longestSecret} bytes in base64; make one with: echo "whsec_$(openssl rand -base64 32)"`,
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

/** The headers of a message by the Standard Webhooks specification: `v1` is HMAC-SHA256 over id, timestamp and body. */
export function signatureHeaders({ id, timestamp, body }: SignedMessage, secret: Buffer) {
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${mac}`,
  };
}
