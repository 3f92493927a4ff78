import type { Context } from '../../http/requests/context.ts';

/**
 * Whether a request may come from a page of another site. Browsers send `Origin` with every request that could carry a token; if an
 * old proxy drops it, there is still `Sec-Fetch-Site`. Programs send neither.
 *
 * @param publicOrigin scheme and host of the public URL of this server, if the operator has set one
 */
export function isForeignPage({ head }: Context, publicOrigin: string | undefined): boolean {
  const { origin, host, secFetchSite } = head;
  if (secFetchSite === 'cross-site' || secFetchSite === 'same-site') return true;
  if (origin === undefined || origin === publicOrigin) return false;
  return origin !== `http://${host}` && origin !== `https://${host}`;
}
