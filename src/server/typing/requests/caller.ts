import { createHash, createHmac } from 'node:crypto';
import { playerKeyPattern } from '../../../contract/credentials.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import { toBlock } from '../../../kit/client-block.ts';
import type { Context } from '../../http/requests/context.ts';
import { HttpError } from '../../http/requests/http-error.ts';
import { type Caller, localPlayer } from '../../stores/player.ts';

export interface CallerOptions {
  /** Whether strangers can reach the server. */
  readonly isExposed: boolean;
  /** Secret with which addresses are hashed: without it, nobody can find an address by trying all of them. */
  readonly addressKey: string;
}

/** Returns the sender of a request. Throws a 401 if its key is malformed. */
export type CallerOf = (context: Context) => Caller;

export function createCallerOf({ isExposed, addressKey }: CallerOptions): CallerOf {
  const originOf = createOriginOf(addressKey);
  return ({ headers: { authorization }, client: address }) => {
    const origin = isExposed ? originOf(address) : nowhere;
    if (authorization !== undefined) return { player: toKeyPlayer(authorization), ...origin };
    return { player: isExposed ? origin.client : localPlayer, ...origin };
  };
}

/** The client and block of a request. */
type Origin = Omit<Caller, 'player'>;

const nowhere: Origin = { client: '' };

function toKeyPlayer(authorization: string): string {
  const key = /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '';
  if (!playerKeyPattern.test(key)) throw unauthenticated();
  return `key-${createHash('sha256').update(key).digest('hex')}`;
}

const mostRemembered = 1_000;

/** Caches hashes, because most requests come from an address that has just sent another one. */
function createOriginOf(addressKey: string): (address: string) => Origin {
  const remembered = new Map<string, Origin>();
  const hash = (text: string) => `address-${createHmac('sha256', addressKey).update(text).digest('hex')}`;
  return (address) => {
    const known = remembered.get(address);
    if (known !== undefined) return known;
    const block = toBlock(address);
    const origin = { client: hash(address), ...(block !== undefined && { block: hash(block) }) };
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(address, origin);
    return origin;
  };
}

const unauthenticated = () =>
  new HttpError<ErrorCode>(
    401,
    'UNAUTHENTICATED',
    'Authorization must be "Bearer" and a player key: 22 to 128 letters, digits, "-" and "_".',
    ['WWW-Authenticate', 'Bearer'],
  );
