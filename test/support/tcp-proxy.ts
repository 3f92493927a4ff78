import { connect, createServer, type Socket } from 'node:net';

/** A bad line between a client and a server. */
export interface TcpProxy {
  readonly port: number;
  /** Cuts every connection; new ones are refused until `mend`. */
  cut(): void;
  /** Takes everything and passes nothing on, in either direction, as a line that swallows packets. */
  hold(): void;
  /** Passes everything on, this many milliseconds late. */
  delay(ms: number): void;
  /** Passes on at once again, what was held first. */
  mend(): void;
  /** New connections go to another port. */
  redirect(port: number): void;
  close(): Promise<void>;
}

interface Pair {
  readonly sockets: readonly Socket[];
  /** Passes on what is due; all, where the line is mended. */
  readonly passings: readonly ((isMended?: boolean) => void)[];
}

type State =
  | { readonly kind: 'open'; readonly delay: number }
  | { readonly kind: 'held' }
  | { readonly kind: 'cut' };

export async function startTcpProxy(firstTarget: number): Promise<TcpProxy> {
  let state: State = { kind: 'open', delay: 0 };
  let targetPort = firstTarget;
  const pairs = new Set<Pair>();

  /** In one direction. Bytes stay in their order, whatever the state was when they came. */
  const createPassing = (from: Socket, to: Socket) => {
    const queue: { readonly bytes: Buffer; readonly due: number }[] = [];
    let timer: NodeJS.Timeout | undefined;
    const passOn = (isMended = false) => {
      clearTimeout(timer);
      if (state.kind === 'held') return;
      for (let next = queue[0]; next !== undefined; next = queue[0]) {
        const early = next.due - performance.now();
        if (early > 0 && !isMended) {
          timer = setTimeout(() => passOn(), Math.ceil(early));
          return;
        }
        queue.shift();
        if (!to.destroyed) to.write(next.bytes);
      }
    };
    from.on('data', (bytes: Buffer) => {
      queue.push({ bytes, due: performance.now() + (state.kind === 'open' ? state.delay : 0) });
      passOn();
    });
    return passOn;
  };
  const server = createServer((client) => {
    if (state.kind === 'cut') {
      client.destroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    const sockets = [client, target];
    const pair: Pair = {
      sockets,
      passings: [createPassing(client, target), createPassing(target, client)],
    };
    pairs.add(pair);
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const side of sockets) side.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutAll = () => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = { kind: 'cut' };
      cutAll();
    },
    hold() {
      state = { kind: 'held' };
    },
    delay(ms) {
      state = { kind: 'open', delay: ms };
    },
    mend() {
      state = { kind: 'open', delay: 0 };
      for (const { passings } of pairs) for (const passOn of passings) passOn(true);
    },
    redirect(port) {
      targetPort = port;
    },
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
