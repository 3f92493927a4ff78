import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// node:http alone: what no server in Node can beat. Its arguments are headers and a body in base64, with which it answers
// every request; without them it answers keystrokes with the same JSON as ours, and keeps nothing.
const [headers, body = ''] = process.argv.slice(2);

function createFixed(fixed: Record<string, string>, bytes: Buffer) {
  return createServer((_, response) => {
    response.writeHead(200, fixed);
    response.end(bytes);
  });
}

function createTyping() {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { char, seq } = JSON.parse(Buffer.concat(chunks).toString());
      const isCorrect = char !== undefined;
      const answer = JSON.stringify({ is_correct: isCorrect, timer_started: seq === 1, char_index: seq - 1 });
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(answer),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'API-Version': 'v1',
        Vary: 'Origin',
      });
      response.end(answer);
    });
  });
}

const server =
  headers === undefined ? createTyping() : createFixed(JSON.parse(headers), Buffer.from(body, 'base64'));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
