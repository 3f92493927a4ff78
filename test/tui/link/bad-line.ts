import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A network line to a server, and what can be wrong with it. */
export type BadLine = Awaited<ReturnType<typeof startBadLine>>;

/** Passes bytes between a client and the real server on this machine. */
export async function startBadLine(firstPort: number) {
  let port = firstPort;
  let dropAnswer = 0;
  let breakRequest = 0;
  let isDown = false;
  let requests = 0;
  let answers = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => {
      requests += 1;
      if (breakRequest > 0 && requests % breakRequest === 0) fail();
      else far.write(bytes);
    });
    far.on('data', (bytes) => {
      answers += 1;
      if (dropAnswer > 0 && answers % dropAnswer === 0) fail();
      else near.write(bytes);
    });

    function fail(): void {
      near.destroy();
      far.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every n-th answer is lost after the server has done its work; every n-th request breaks before it arrives. */
    setFaults(wanted: { readonly dropAnswer: number; readonly breakRequest: number }): void {
      ({ dropAnswer, breakRequest } = wanted);
    },
    /** Leads to another server from now on. */
    setPort(wanted: number): void {
      port = wanted;
      for (const socket of sockets) socket.destroy();
    },
    /** Nobody can be reached at all. */
    setDown(wanted: boolean): void {
      isDown = wanted;
      if (isDown) for (const socket of sockets) socket.destroy();
    },
    close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
