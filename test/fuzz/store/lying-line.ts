import { connect, createServer, type Socket } from 'node:net';
import type { Random } from '../random.ts';
import { lie } from './lies.ts';
import { readReply, toBytes } from './resp-reply.ts';

/** A line to a real store on which one reply in so many is replaced. */
export interface LyingLine {
  readonly port: number;
  /** One reply in `times` is a lie from now on; undefined: none. */
  lieOnce(times: number | undefined): void;
  /** Lies told so far. */
  lies(): number;
  close(): Promise<void>;
}

export async function startLyingLine(target: number, random: Random): Promise<LyingLine> {
  let times: number | undefined;
  let told = 0;
  const sockets = new Set<Socket>();

  /** Takes replies apart as they come, and passes each on, or a lie in its place. */
  const createVoice = (to: Socket) => {
    let rest: Buffer = Buffer.alloc(0);
    return (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let next = readReply(rest, 0); next !== undefined; next = readReply(rest, 0)) {
        const isLie = times !== undefined && random.once(times);
        if (isLie) told += 1;
        if (!to.destroyed) to.write(isLie ? lie(next.reply, random) : toBytes(next.reply));
        rest = rest.subarray(next.end);
      }
    };
  };
  const server = createServer((client) => {
    const store = connect(target, '127.0.0.1');
    client.on('data', (chunk) => store.write(chunk));
    store.on('data', createVoice(client));
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        store.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    lieOnce(next) {
      times = next;
    },
    lies: () => told,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
