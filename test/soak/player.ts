import { randomBytes } from 'node:crypto';

/** Who a typist is to the server. */
export interface Player {
  /** As the trusted proxy reports it. */
  readonly address: string;
  /** Undefined: a typist without a key, who is known by the address. */
  readonly key: string | undefined;
}

/** The typist of that number, with an address of its own; one in five has no key. */
export function newPlayer(number: number): Player {
  const address = `198.18.${Math.floor(number / 250)}.${1 + (number % 250)}`;
  return { address, key: number % 5 === 0 ? undefined : newKey() };
}

export function newKey(): string {
  return randomBytes(24).toString('base64url');
}

export function headersOf({ address, key }: Player): Record<string, string> {
  return { 'X-Forwarded-For': address, ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) };
}
