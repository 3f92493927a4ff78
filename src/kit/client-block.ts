/**
 * An IPv6 /48 is the most that one site is assigned (RFC 6177), and it contains 65,536 of the /64s that count as one client each.
 * Together they may use as much as this many clients.
 */
export const clientsInBlock = 16;

/** The /48 that a client (an IPv6 /64) belongs to: its first three groups. Undefined for IPv4. */
export function toBlock(client: string): string | undefined {
  if (!client.endsWith('::/64')) return undefined;
  const second = client.indexOf(':') + 1;
  const third = client.indexOf(':', second) + 1;
  return client.slice(0, client.indexOf(':', third));
}
