import type { IncomingMessage } from 'node:http';
import type { Connection } from './connection.ts';

/** Bytes of the waiting requests of all connections; a connection that adds more is cut. */
const mostBytes = 16 * 1024 * 1024;
/** The same for one owner; connections without one share what is left. */
const mostOfClient = mostBytes / 2;
/** Bytes of a request and its response without any headers. */
const bytesOfEmpty = 3_000;

/** The memory that all requests may use which wait for the answers before them. */
export interface WaitingBudget {
  /** False: there is too little room. The bytes count all the same, until they are given back. */
  take(connection: Connection, bytes: number): boolean;
  giveBack(connection: Connection, bytes: number): void;
}

export function createWaitingBudget(): WaitingBudget {
  let taken = 0;
  const takenBy = new Map<string, number>();
  function add({ owner }: Connection, bytes: number): number {
    taken += bytes;
    if (owner === undefined) return 0;
    const own = (takenBy.get(owner) ?? 0) + bytes;
    if (own === 0) takenBy.delete(owner);
    else takenBy.set(owner, own);
    return own;
  }
  return {
    take: (connection, bytes) => add(connection, bytes) <= mostOfClient && taken <= mostBytes,
    giveBack(connection, bytes) {
      if (bytes > 0) add(connection, -bytes);
    },
  };
}

/** The memory that a waiting request may take, approximately: with as much of its body as node:http keeps unread. */
export function weigh({ url = '', rawHeaders, readableHighWaterMark }: IncomingMessage): number {
  let bytes = bytesOfEmpty + url.length + rawHeaders.length * 50;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const value = rawHeaders[at + 1] as string;
    if (/^content-length$/i.test(name)) bytes += Math.min(Number(value), readableHighWaterMark);
    if (/^transfer-encoding$/i.test(name)) bytes += readableHighWaterMark;
  }
  return bytes;
}
