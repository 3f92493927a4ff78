import { createHash } from 'node:crypto';

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
