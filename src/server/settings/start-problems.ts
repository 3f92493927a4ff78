import { isExposed, isLoopback, type ServeConfig } from './config.ts';
import type { ListenAddress } from './config-parsers.ts';

/** What to do if a proxy is in front of the server. */
export const proxyFix = "Give --trust-proxy with the proxy's address.";

const effect =
  "all visitors through a proxy who send no key count as one player: everybody sees everybody's sessions";

/** For the log, if a request has `X-Forwarded-For` though no proxy is trusted. */
export const untrustedProxy = `a request has X-Forwarded-For, as proxies send it, but no proxy is trusted; ${effect}. ${proxyFix}`;

/**
 * What goes wrong, in one sentence, if a server that treats everybody as its local player has a public name,
 * under which visitors come through a proxy. Undefined if players are kept apart or there is no such name.
 */
export function findMissingProxy(
  config: Pick<ServeConfig, 'host' | 'trustProxy' | 'publicUrl' | 'allowHost'>,
): string | undefined {
  if (isExposed(config)) return undefined;
  const { publicUrl, allowHost } = config;
  const isPublic = publicUrl !== undefined && !isLocalName(new URL(publicUrl).host);
  const publicHost = allowHost.find((name) => !isLocalName(name));
  if (!isPublic && publicHost === undefined) return undefined;
  const named = isPublic ? `--public-url ${publicUrl}` : `--allow-host ${publicHost}`;
  return `${named} is for visitors from elsewhere, but without --trust-proxy ${effect}.`;
}

/** @param name a host name or address, perhaps with brackets and a port */
function isLocalName(name: string): boolean {
  const host = name.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  return isLoopback(host) || host.endsWith('.localhost');
}

/** Why nobody can listen at an address, and what to do, as a sentence. */
export function listenProblem(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: ListenAddress,
): string {
  const foreign = `${host} is not an address of this machine: choose another with --host.`;
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is in use: stop the other program, or choose another with --port (0 takes a free one).`,
    EACCES: `port ${port} needs rights that this user lacks: choose one above 1023 with --port.`,
    EADDRNOTAVAIL: foreign,
    ENOTFOUND: foreign,
  };
  return known[code ?? ''] ?? `the server cannot listen on ${host}:${port} (${code ?? message}).`;
}

export function metricsProblem(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: ListenAddress,
): string {
  return `the metrics cannot be served at ${host}:${port} (${code ?? message}): choose another --metrics.`;
}
