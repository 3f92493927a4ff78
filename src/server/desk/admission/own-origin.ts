import type { Context } from '../../http/requests/context.ts';

/**
 * Whether a request may come from a page of another site: browsers send `Origin` with every request that could carry a token, and
 * `Sec-Fetch-Site` where an old proxy has dropped it. Programs send neither.
 *
 * @param publicOrigin scheme and host that the world reaches this server by, where the operator has named them
 */
export function isForeignPage({ head }: Context, publicOrigin: string | undefined): boolean {
  const { origin, host, secFetchSite } = head;
  if (secFetchSite === 'cross-site' || secFetchSite === 'same-site') return true;
  if (origin === undefined || origin === publicOrigin) return false;
  return origin !== `http://${host}` && origin !== `https://${host}`;
}
