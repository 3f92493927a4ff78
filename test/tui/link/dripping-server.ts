import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that says at once that it is healthy, and answers everything else a space at a time, for ever. */
export async function startDrippingServer() {
  let answers = 0;
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'API-Version': 'v1' });
    if (url === '/api/health') {
      response.end('{"status":"healthy","active_sessions":0}');
      return;
    }
    answers += 1;
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** How many answers it has begun. */
    get answers() {
      return answers;
    },
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
