/**
 * A /48 of IPv6 is what one site is given at most (RFC 6177), and holds 65,536 of the /64 that count as clients. All of them
 * together may have as much as this many clients.
 */
export const clientsInBlock = 16;

/** The /48 of a client that is the /64 of IPv6: its first three groups. Undefined for IPv4. */
export function toBlock(client: string): string | undefined {
  if (!client.endsWith('::/64')) return undefined;
  const second = client.indexOf(':') + 1;
  const third = client.indexOf(':', second) + 1;
  return client.slice(0, client.indexOf(':', third));
}
