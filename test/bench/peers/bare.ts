import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// node:http alone, answering every request with the same bytes: what no server in Node can beat.
const [headers = '{}', body = ''] = process.argv.slice(2);
const fixedHeaders = JSON.parse(headers) as Record<string, string>;
const fixedBody = Buffer.from(body, 'base64');

const server = createServer((_, response) => {
  response.writeHead(200, fixedHeaders);
  response.end(fixedBody);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit());
