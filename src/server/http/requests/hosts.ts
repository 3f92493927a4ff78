/** Whether requests to this host (the `Host` header, or the authority of the target) may be served at all. */
export type HostCheck = (host: string | undefined) => boolean;

export interface HostCheckOptions {
  /** Whether the server listens on a loopback address only. */
  readonly loopback: boolean;
  /** Additional names, with a port (only that one) or without (any port). */
  readonly allowed: readonly string[];
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Prevents DNS rebinding: a page on evil.example that makes its own name resolve to 127.0.0.1 still sends
 * `Host: evil.example`. A server that is open to the network serves every name, unless names are given.
 */
export function createHostCheck({ loopback, allowed }: HostCheckOptions): HostCheck {
  if (!loopback && allowed.length === 0) return () => true;
  const names = new Set([...loopbackNames, ...allowed.map((name) => name.toLowerCase())]);
  let lastServed: string | undefined;
  return (host) => {
    if (host === undefined) return false;
    if (host === lastServed) return true;
    const lower = host.toLowerCase();
    const isServed = names.has(lower) || names.has(withoutPort(lower));
    if (isServed) lastServed = host;
    return isServed;
  };
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '');
}

/**
 * Whether a request has as many Host headers as RFC 9112, section 3.2 allows: exactly one; HTTP/1.0 may omit it. If there were two, a proxy
 * and this server might use different ones.
 */
export function hasProperHost(hosts: number, httpVersion: string): boolean {
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}
