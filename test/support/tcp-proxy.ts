import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** A bad line between a client and a server. */
export async function startTcpProxy(firstTarget: number) {
  let [targetPort, isCut, isHeld, delay] = [firstTarget, false, false, 0];
  const sockets = new Set<Socket>();

  /** In one direction. Bytes stay in their order, whatever the delay was when they came. */
  const pass = (from: Socket, to: Socket) => {
    let last = Promise.resolve();
    from.on('data', (bytes) => {
      const due = performance.now() + delay;
      last = last.then(async () => {
        const wait = due - performance.now();
        if (wait > 0) await sleep(wait);
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isHeld) from.pause();
    sockets.add(from);
  };
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    pass(client, target);
    pass(target, client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    /** Cuts every connection; new ones are refused until `mend`. */
    cut(): void {
      isCut = true;
      destroyAll();
    },
    /** Passes nothing on, in either direction, as a line that swallows packets. */
    hold(): void {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    /** Passes everything on, this many milliseconds late. */
    delay(ms: number): void {
      delay = ms;
    },
    /** Passes on at once again, what was held first. */
    mend(): void {
      [isCut, isHeld, delay] = [false, false, 0];
      for (const socket of sockets) socket.resume();
    },
    /** New connections go to another port. */
    redirect(port: number): void {
      targetPort = port;
    },
    async close(): Promise<void> {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
