import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection } from './connection.ts';
import { stopReading } from './reading.ts';
import type { Rotation } from './rotation.ts';

/** Pieces that a connection may bring before others are read first. */
const mostAtOnce = 512;
/** Header lines and chunks of a request that do not count. */
const freePieces = 32;
/** In bytes. A longer chunk is passed on as it is. */
const smallChunk = 1_024;
/** Small chunks are gathered up to this number of bytes, which node:http keeps of an unread body anyway. */
const mostGathered = 8_192;
/** Of the buffer in which they are gathered, at first, in bytes. */
const leastRoom = 512;
/** Chunks after which a body is given up, if they are tiny on average: fewer bytes than this. */
const mostTiny = 8_192;
const tinyChunk = 16;

/**
 * A class of requests that reports the pieces of their bodies: chunks beyond the usual number, and trailers. Bytes alone
 * say little about the work: 64 KiB may be 11,000 chunks, node:http hands over each by itself, and libuv reads one connection up to
 * 32 times before it looks at the next.
 *
 * Small chunks are also gathered: in the queue of a request that waits for its turn, each would take 200 bytes. Bodies are read whole, so nobody waits for the first chunks.
 *
 * @param onPieces called with a connection and the number of new pieces
 * @param onTiny called once for a body that consists of thousands of tiny chunks
 */
export function toPieceCounter(
  onPieces: (socket: Socket, count: number) => void,
  onTiny: (socket: Socket) => void,
): typeof IncomingMessage {
  return class extends IncomingMessage {
    #chunks = 0;
    /** Of all chunks. */
    #bytes = 0;
    /** Small chunks that have not been passed on, with spare room after them. */
    #gathered: Buffer | undefined;
    #length = 0;

    override push(chunk: Buffer | null): boolean {
      if (chunk === null) {
        if (this.rawTrailers.length > 0) onPieces(this.socket, this.rawTrailers.length / 2);
        this.#passOn();
        return super.push(null);
      }
      this.#chunks += 1;
      this.#bytes += chunk.length;
      if (this.#chunks <= freePieces) return super.push(chunk);
      onPieces(this.socket, 1);
      if (this.#chunks === mostTiny && this.#bytes < mostTiny * tinyChunk) onTiny(this.socket);
      if (chunk.length < smallChunk) return this.#gather(chunk);
      this.#passOn();
      return super.push(chunk);
    }

    /** @returns true: nothing has to be read before more is gathered */
    #gather(chunk: Buffer): boolean {
      const length = this.#length + chunk.length;
      if (this.#gathered === undefined || length > this.#gathered.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(leastRoom, 2 * length));
        this.#gathered?.copy(larger, 0, 0, this.#length);
        this.#gathered = larger;
      }
      chunk.copy(this.#gathered, this.#length);
      this.#length = length;
      if (length >= mostGathered) this.#passOn();
      return true;
    }

    #passOn(): void {
      const gathered = this.#gathered?.subarray(0, this.#length);
      if (gathered === undefined) return;
      this.#gathered = undefined;
      this.#length = 0;
      // As node:http does when nobody wants more now; reading from the request resumes the connection.
      if (!super.push(gathered)) this.socket.pause();
    }
  };
}

/** Counts the pieces of each connection; one that has brought many waits for its turn. */
export interface PieceCount {
  add(connection: Connection, count: number): void;
  /** A request has come: its header lines count. */
  addHead(connection: Connection, request: IncomingMessage): void;
}

export function createPieceCount(rotation: Rotation): PieceCount {
  function add(connection: Connection, count: number): void {
    rotation.note(connection, count);
    connection.pieces += count;
    if (connection.pieces < mostAtOnce) return;
    connection.pieces = 0;
    rotation.hold(connection);
  }
  return {
    add,
    addHead(connection, { rawHeaders }) {
      const lines = rawHeaders.length / 2;
      if (lines > freePieces) add(connection, lines - freePieces);
    },
  };
}

/** Reads no more from a connection, for good. */
export function stopForGood(connection: Connection): void {
  connection.isEnding = true;
  stopReading(connection, 'end');
}

/**
 * Discards the rest of a body that the answer did not need, and the headers, which node:http would keep until the body ends.
 * node:http would discard a chunked body too, but without counting its chunks.
 */
export function discardRest(request: IncomingMessage, isChunked: boolean): void {
  if (request.complete) return;
  if (isChunked) request.resume();
  request.rawHeaders.length = 0;
  request.headers = {};
}
