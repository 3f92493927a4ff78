import { isExposed, isLoopback, type ServeConfig } from './config.ts';

/** What to give if a proxy is in front of the server. */
export const proxyFix = "Give --trust-proxy with the proxy's address.";

type Exposure = Pick<ServeConfig, 'host' | 'trustProxy' | 'typing'>;

/**
 * What goes wrong if a server that takes everybody for its local player has a name for visitors, who come
 * through a proxy: one sentence. Undefined if players are kept apart, or if there is no such name.
 */
export function findMissingProxy(
  config: Exposure & Pick<ServeConfig, 'publicUrl' | 'allowHost'>,
): string | undefined {
  if (isExposed(config)) return undefined;
  const { publicUrl, allowHost } = config;
  const isPublic = publicUrl !== undefined && !isLocalName(new URL(publicUrl).host);
  const publicHost = allowHost.find((name) => !isLocalName(name));
  if (!isPublic && publicHost === undefined) return undefined;
  const named = isPublic ? `--public-url ${publicUrl}` : `--allow-host ${publicHost}`;
  return `${named} is for visitors from elsewhere, but without --trust-proxy ${describeEffect(config)}.`;
}

/**
 * For the log, if a request has `X-Forwarded-For` though no proxy is trusted. Does not repeat what the
 * request says.
 */
export function describeUntrustedProxy(config: Exposure): string {
  const seen = 'a request has X-Forwarded-For, as proxies send it, but no proxy is trusted';
  return `${seen}; ${describeEffect(config)}. ${proxyFix}`;
}

function describeEffect(config: Exposure): string {
  if (config.typing === 'off') return 'all visitors through a proxy share one limit';
  return isExposed(config)
    ? 'all visitors through a proxy share one limit, and those who send no key count as one player'
    : "all visitors through a proxy who send no key count as one player: everybody sees everybody's sessions";
}

/** @param name a host name or address, perhaps with brackets and a port */
function isLocalName(name: string): boolean {
  const host = name.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  return isLoopback(host) || host.endsWith('.localhost');
}
