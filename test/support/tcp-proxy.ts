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

type State =
  | { readonly kind: 'open'; readonly delay: number }
  | { readonly kind: 'held' }
  | { readonly kind: 'cut' };

export async function startTcpProxy(firstTarget: number): Promise<TcpProxy> {
  let state: State = { kind: 'open', delay: 0 };
  const pairs = new Set<readonly [Socket, Socket]>();
  let held: (() => void)[] = [];
  let targetPort = firstTarget;

  const pass = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => {
      const send = () => {
        if (!to.destroyed) to.write(bytes);
      };
      if (state.kind === 'held') held.push(send);
      else if (state.kind === 'open' && state.delay > 0) setTimeout(send, state.delay);
      else send();
    });
  };
  const server = createServer((client) => {
    if (state.kind === 'cut') {
      client.destroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    const pair = [client, target] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const side of pair) side.destroy();
      });
    }
    pass(client, target);
    pass(target, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = { kind: 'cut' };
      held = [];
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
      for (const send of held.splice(0)) send();
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
