import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// node:http alone, which parses a keystroke and answers with the same JSON and headers without keeping anything.
const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'API-Version': 'v1',
  Vary: 'Origin',
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { char, seq } = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({
      is_correct: char !== undefined,
      timer_started: seq === 1,
      char_index: (seq ?? 1) - 1,
    });
    response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
