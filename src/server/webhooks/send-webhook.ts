import { createHmac } from 'node:crypto';
import type { WebhookTarget } from '../settings/config-parsers.ts';

/** How long a receiver may take to answer, in milliseconds. */
export const receiverTimeout = 10_000;

export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

interface Sending {
  readonly secret: Buffer;
  readonly now: number;
  /** Aborts when this server is shutting down. */
  readonly signal: AbortSignal;
}

/**
 * Posts a message once; `problem` says why it counts as not delivered. Only a 2xx is a success: redirects are
 * not followed, because the operator has not allowed their target. Only the status of the answer is read.
 */
export async function sendWebhook(
  { url }: WebhookTarget,
  { id, body }: WebhookMessage,
  { secret, now, signal }: Sending,
): Promise<'delivered' | 'aborted' | { readonly problem: string }> {
  const timeout = AbortSignal.timeout(receiverTimeout);
  try {
    const { status, body: answer } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'typebadge',
        ...signatureHeaders({ id, timestamp: Math.floor(now / 1000), body }, secret),
      },
      body,
    });
    await answer?.cancel();
    if (status >= 200 && status < 300) return 'delivered';
    const redirected = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
    return { problem: `it answered ${status}${redirected}` };
  } catch (error) {
    if (signal.aborted) return 'aborted';
    if (timeout.aborted) return { problem: `no answer within ${receiverTimeout / 1000} s` };
    // Only the code, because the message may contain the URL.
    const { code, name } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return { problem: `it cannot be reached (${code ?? name})` };
  }
}

/**
 * The headers of a message by the Standard Webhooks specification: `v1` is HMAC-SHA256 over id, time of this
 * attempt (in seconds since 1970) and body.
 */
export function signatureHeaders(
  { id, timestamp, body }: WebhookMessage & { readonly timestamp: number },
  secret: Buffer,
) {
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${mac}`,
  };
}
