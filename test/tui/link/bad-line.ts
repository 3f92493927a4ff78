import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A network line to a server, and what can be wrong with it. */
export interface BadLine {
  readonly url: string;
  /** How often something went wrong so far. */
  readonly faults: number;
  /** Every n-th answer is lost after the server has done its work; every n-th request breaks before it arrives. */
  setFaults(faults: { readonly dropAnswer: number; readonly breakRequest: number }): void;
  /** Leads to another server from now on. */
  setPort(port: number): void;
  /** Nobody can be reached at all. */
  setDown(isDown: boolean): void;
  close(): Promise<void>;
}

/** Passes bytes between a client and the real server on this machine. */
export async function startBadLine(firstPort: number): Promise<BadLine> {
  let port = firstPort;
  let dropAnswer = 0;
  let breakRequest = 0;
  let isDown = false;
  let requests = 0;
  let answers = 0;
  let faults = 0;
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
      faults += 1;
      near.destroy();
      far.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get faults() {
      return faults;
    },
    setFaults(wanted) {
      ({ dropAnswer, breakRequest } = wanted);
    },
    setPort(wanted) {
      port = wanted;
      for (const socket of sockets) socket.destroy();
    },
    setDown(wanted) {
      isDown = wanted;
      if (isDown) for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
