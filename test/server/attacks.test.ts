import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, sendRaw } from '../support/http-client.ts';
import { highLimits, startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ badgeLimits: highLimits });
});
afterAll(() => server.close());

const pathsIn = (text: string) => text.trim().split(/\s+/);

/** Paths that try to leave the routes for the disk, or to reach a route by another spelling. */
const traversals = [
  ...pathsIn(String.raw`
    /.. /../etc/passwd /content/../../etc/passwd /content/.. /./demo /demo/. /demo/..
    /%2e%2e/%2e%2e/etc/passwd /%2E%2E/etc/passwd /.%2e/etc/passwd /content/%2e%2e%2fetc%2fpasswd
    /content%2fannouncement.json /content/..%2f..%2fetc%2fpasswd /content/..%5c..%5cetc%5cpasswd /..%00/
    /content/announcement.json%00 /content/announcement.json%00.html /%00 /%0d%0aSet-Cookie:%20a=b /%0a /%7f
    /% /%z /%2 /%zz /%u002e /%c0%ae%c0%ae/etc/passwd /%C0%AE%C0%AE/etc/passwd /%FF /%E2%82 /%ED%A0%80
    /%C2%80 //demo /demo// /// /%64emo /demo%2F /d%65mo /js//typebadge-inject.min.js
    /content\announcement.json /demo" /<script> /{demo} /demo| /demo^
  `),
  '/`demo',
];

test.each(traversals)('the path %s is refused as not canonical', async (path) => {
  const received = await sendRaw(server.port, [
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  ]);
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
  expect(received).toContain('"code":"INVALID_REQUEST"');
  expect(received).not.toMatch(/root:|set-cookie|passwd|<script>/i);
});

/** Spellings that are canonical and lead nowhere. */
const strangers = [
  ...pathsIn(`
    /%25 /content/..%255c..%255cetc /%20 /demo%20 /demo%3F /demo%23 /%E2%82%AC /demo;x=1 /demo/ /demo/x
    /Demo /etc/passwd /dist/main.js /package.json /content /content/ /content/origins.json /.git/config /...
    /demo... /js/ /images/..svg /__proto__ /constructor /api/sessions/__proto__/state /toString /*
  `),
  `/${'a'.repeat(8_000)}`,
  `/${'a/'.repeat(4_000)}`,
];

test.each(strangers)('the path %s is not found', async (path) => {
  const answer = await send(server.port, { path });
  expect(answer.status).toBe(404);
  expect(Object.keys(JSON.parse(answer.body.toString()))).toEqual(['error', 'code']);
});

const [host, close] = ['Host: localhost', 'Connection: close'];
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

const answered = (status: number, part = '') => new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*${part}`);

const malformed: readonly [what: string, request: string, status: RegExp][] = [
  [
    'Content-Length beside Transfer-Encoding',
    `${head('POST /demo HTTP/1.1', host, 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    answered(400),
  ],
  [
    'two different Content-Lengths',
    `${head('POST /demo HTTP/1.1', host, 'Content-Length: 4', 'Content-Length: 5')}abcde`,
    answered(400),
  ],
  ['a negative Content-Length', head('POST /demo HTTP/1.1', host, 'Content-Length: -1'), answered(400)],
  [
    'a Content-Length with a plus',
    `${head('POST /demo HTTP/1.1', host, 'Content-Length: +1')}a`,
    answered(400),
  ],
  [
    'Transfer-Encoding that does not end chunked',
    head('POST /demo HTTP/1.1', host, 'Transfer-Encoding: chunked, gzip'),
    answered(400),
  ],
  ['a space before the colon', head('GET /demo HTTP/1.1', 'Host : localhost'), answered(400)],
  ['a bare CR in a header', head('GET /demo HTTP/1.1', host, 'X: a\rb'), answered(400)],
  ['a NUL in a header', head('GET /demo HTTP/1.1', host, 'X: a\0b'), answered(400)],
  ['a folded header', head('GET /demo HTTP/1.1', host, 'X: a', ' b', close), /^HTTP\/1\.1 (?:400|200)/],
  ['two Host headers', head('GET /demo HTTP/1.1', host, 'Host: evil.example', close), answered(400)],
  ['no Host header', 'GET /demo HTTP/1.1\r\n\r\n', answered(400, '"code"')],
  ['an empty Host header', head('GET /demo HTTP/1.1', 'Host: ', close), answered(403)],
  ['HTTP/1.0 without a Host', 'GET /demo HTTP/1.0\r\n\r\n', answered(403)],
  ['a Host with a path', head('GET /demo HTTP/1.1', 'Host: localhost/x', close), answered(403)],
  [
    'a Host with credentials',
    head('GET /demo HTTP/1.1', 'Host: localhost@evil.example', close),
    answered(403),
  ],
  ['a rebound Host', head('GET /demo HTTP/1.1', 'Host: rebind.evil.example:8787', close), answered(403)],
  [
    'a rebound Host behind an innocent absolute target',
    head('GET http://localhost/demo HTTP/1.1', 'Host: evil.example', close),
    answered(403),
  ],
  ['a target without a slash', head('GET demo HTTP/1.1', host, close), answered(400)],
  ['an asterisk target', head('OPTIONS * HTTP/1.1', host, close), /^HTTP\/1\.1 400 /],
  ['an asterisk target of another method', head('GET * HTTP/1.1', host, close), answered(400)],
  [
    'a method that nobody knows',
    head('BREW /demo HTTP/1.1', host),
    answered(501, '"code":"NOT_IMPLEMENTED"'),
  ],
  ['a method in small letters', head('get /demo HTTP/1.1', host), answered(501, '"code":"NOT_IMPLEMENTED"')],
  ['a method that begins like another', head('GETX /demo HTTP/1.1', host), answered(501)],
  ['a method of forbidden characters', head('GE(T /demo HTTP/1.1', host), answered(400)],
  ['HTTP/2.0 in the request line', head('GET /demo HTTP/2.0', host), answered(505, '"code"')],
  ['HTTP/0.9 in the request line', head('GET /demo HTTP/0.9', host), answered(505)],
  ['HTTP/1.2 in the request line', head('GET /demo HTTP/1.2', host), answered(505)],
  [
    'lines that end in a bare LF',
    'GET /demo HTTP/1.1\nHost: localhost\n\n',
    answered(400, '"code":"INVALID_REQUEST"'),
  ],
  ['a request line that ends in a bare LF', 'GET /demo HTTP/1.1\nHost: localhost\r\n\r\n', answered(400)],
  ['a version of three digits', head('GET /demo HTTP/1.10', host), answered(400)],
  ['a version of one digit', head('GET /demo HTTP/1', host), answered(400)],
  ['a version of letters', head('GET /demo HTTP/x.y', host), answered(400)],
  [
    'a transfer coding beside chunked',
    `${head('POST /api/sessions HTTP/1.1', host, 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
    answered(501, '"code":"NOT_IMPLEMENTED"'),
  ],
  [
    'two Transfer-Encoding headers',
    head('POST /api/sessions HTTP/1.1', host, 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked') +
      '0\r\n\r\n',
    /^HTTP\/1\.1 (?:400|501) /,
  ],
  [
    'Transfer-Encoding in HTTP/1.0',
    `${head('POST /api/sessions HTTP/1.0', host, 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    /^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/,
  ],
  [
    'a request behind an upgrade',
    head('GET /health HTTP/1.1', host, 'Connection: Upgrade', 'Upgrade: websocket') +
      'GET /demo HTTP/1.1\r\nHost: localhost\r\n\r\n',
    /^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n[\s\S]*OK$/,
  ],
  [
    'frames of another protocol behind an upgrade',
    `${head(
      'GET /health HTTP/1.1',
      host,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    )}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    /^HTTP\/1\.1 200 [\s\S]*OK$/,
  ],
  ['a line that is no request', 'hello\r\n\r\n', answered(400)],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00', answered(400)],
  ['HTTP/2 without caller', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', answered(505)],
  [
    'a header of 20 KB',
    `GET /demo HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    answered(431),
  ],
  ['a target of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, answered(431)],
  [
    '3,000 headers',
    `GET /demo HTTP/1.1\r\nHost: localhost\r\n${'X-Filler: aaaaaaaa\r\n'.repeat(3_000)}\r\n`,
    answered(431),
  ],
  [
    'a target for another host behind an innocent Host',
    head('GET http://evil.example/health HTTP/1.1', host, close),
    answered(403),
  ],
  [
    'an expectation nobody knows',
    `${head('POST /api/sessions HTTP/1.1', host, 'Expect: bananas', 'Content-Length: 2')}{}`,
    answered(417, '"code"'),
  ],
  [
    'a tunnel',
    head('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443'),
    /^HTTP\/1\.1 405[\s\S]*\r\nAllow: GET, HEAD, [\s\S]*"code"/,
  ],
  [
    'an upgrade',
    head('GET /health HTTP/1.1', host, 'Connection: Upgrade, close', 'Upgrade: websocket'),
    answered(200),
  ],
];

test.each(malformed)('%s is answered without harm', async (_, request, status) => {
  const received = await sendRaw(server.port, [request], 6_500);
  expect(received).toMatch(status);
  expect(received.match(/^HTTP\/1\.1 /gm)?.length ?? 0).toBeLessThanOrEqual(1);
  const [, length, body] = /\r\nContent-Length: (\d+)\r\n[\s\S]*?\r\n\r\n([\s\S]*)$/.exec(received) ?? [];
  expect(body).toHaveLength(Number(length));
  expect((await send(server.port, { path: '/health' })).body.toString()).toBe('OK');
});

test('a request smuggled behind a chunked body is not answered twice', async () => {
  const received = await sendRaw(server.port, [
    'POST /demo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ]);
  expect(received).not.toContain('\r\n\r\nOK');
});

const large = 'GET /api/layouts HTTP/1.1\r\nHost: localhost\r\n';
const tooLong = `GET / HTTP/1.1\r\nHost: localhost\r\n${`X-Filler: ${'a'.repeat(1_000)}\r\n`.repeat(1_000)}\r\n`;
const behindALargeAnswer: readonly (readonly [string, string, number])[] = [
  ['nothing more', `${large}\r\n`, 1],
  ['two more of the same', `${large}\r\n`.repeat(3), 3],
  ['a request line that is none', `${large}\r\nrubbish\r\n\r\n`, 1],
  ['another protocol behind an upgrade', `${large}Upgrade: h2c\r\n\r\nGET / HTTP/2.0\r\n\r\n`, 1],
  ['a megabyte of headers', `${large}\r\n${tooLong}`, 1],
  ['a tunnel and a megabyte', `${large}\r\nCONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n${tooLong}`, 1],
];

test.each(behindALargeAnswer)(
  'a slow reader that sends %s after its request gets its whole answer, half closed or not',
  async (_, bytes, answers) => {
    const body = (await send(server.port, { path: '/api/layouts' })).body.toString('latin1');
    const readers = Array.from({ length: 20 }, (_, at) =>
      readSlowly(bytes, at % 2 === 0, at * 4, answers * (body.length + 100)),
    );
    for (const received of await Promise.all(readers)) expect(received.split(body).length - 1).toBe(answers);
  },
);

/** What comes back, at least `enough` characters, when reading begins `afterMs` after the bytes were sent. */
function readSlowly(bytes: string, isHalfClosed: boolean, afterMs: number, enough: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.pause();
    socket.write(bytes);
    if (isHalfClosed) socket.end();
    setTimeout(() => socket.resume(), afterMs);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.length > enough) socket.end();
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

test('errors repeat nothing from the request', async () => {
  const marker = 'sEcReTmArKeR';
  for (const path of [
    `/${marker}`,
    `/content/${marker}.json`,
    `/pulse?event=${marker}&id=${marker}`,
    `/%2e${marker}`,
  ]) {
    const headers = {
      origin: `https://${marker}.example`,
      'x-forwarded-host': marker,
      'user-agent': marker,
      referer: `https://${marker}/`,
    };
    const answer = await send(server.port, { path, headers: { ...headers, accept: 'text/html' } });
    expect(`${JSON.stringify(answer.headers)}${answer.body}`).not.toContain(marker);
  }
});

test('a flood of made-up Accept-Encoding and Origin values leaves no memory in use', async () => {
  const collect = globalThis.gc as () => void;
  const flood = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const headers = {
        origin: `https://${i}.${'x'.repeat(200)}.example`,
        'accept-encoding': `x${i}${'y'.repeat(150)}`,
      };
      await send(server.port, { path: '/content/announcement.json', headers });
    }
  };
  await flood(1_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  await flood(3_000);
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * 1024 * 1024);
});
