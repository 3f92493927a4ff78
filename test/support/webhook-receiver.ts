import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly announcement: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** How it was answered. */
  readonly status: number;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Everything that came with a right signature, in order, answered with whatever. */
  readonly received: readonly Received[];
  /** Messages whose signature is wrong. */
  readonly forged: readonly string[];
  /** How the next messages are answered; `hang`: not at all. */
  behave(answer: number | 'hang' | ((response: ServerResponse) => void)): void;
  /** Types and ids of what was taken with 2xx, each message once, in order. */
  taken(): string[];
  close(): Promise<void>;
}

export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A real receiver that checks signatures with the reference library. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const forged: string[] = [];
  const webhook = new Webhook(webhookSecret);
  let answer: Parameters<Receiver['behave']>[0] = 204;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      try {
        webhook.verify(body, request.headers as Record<string, string>);
      } catch {
        forged.push(body);
      }
      const { type, data } = JSON.parse(body);
      const id = String(request.headers['webhook-id']);
      const status = typeof answer === 'number' ? answer : 0;
      received.push({ id, type, announcement: data.id, headers: request.headers, body, status });
      if (typeof answer === 'function') answer(response);
      else if (answer !== 'hang') response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${own}/hook`,
    port: own,
    received,
    forged,
    behave(next) {
      answer = next;
    },
    taken() {
      const first = new Map<string, string>();
      for (const { id, type, announcement, status } of received) {
        if (status >= 200 && status < 300 && !first.has(id)) first.set(id, `${type} ${announcement}`);
      }
      return [...first.values()];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
