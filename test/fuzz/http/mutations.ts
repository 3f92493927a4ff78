import type { Random } from '../random.ts';
import { type HttpRequest, marker, origins, plainMarker } from './requests.ts';

/* Ways to spoil bytes, whatever they mean. */

/** What parsers stumble over. */
const splinters = [
  ...['\r', '\n', '\r\n', '\r\n\r\n', '\0', '\t', ' ', ':', '%', '"', '\x7f', '\x80', '\x9b', '\xff'],
  ...['0\r\n\r\n', 'HTTP/1.1', '\x1b[31m', '\r\nHTTP/1.1 200 OK\r\n\r\n', '\r\n time level'],
];

/** A few bytes at a random place are removed, doubled, or replaced by others. */
export function spoilBytes(bytes: Buffer, random: Random): Buffer {
  const from = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, from + random.below(random.pick([2, 8, 60])));
  const cut = bytes.subarray(from, to);
  const middle = random.pick([
    Buffer.alloc(0),
    Buffer.concat([cut, cut]),
    Buffer.from(random.pick(splinters), 'latin1'),
    Buffer.concat([cut, Buffer.from(random.pick(splinters), 'latin1')]),
    random.bytes(1 + random.below(40)),
  ]);
  return Buffer.concat([bytes.subarray(0, from), middle, random.once(8) ? cut : bytes.subarray(to)]);
}

/* Ways to spoil a request whose parts are still known. */

type Mutation = (request: HttpRequest, random: Random) => HttpRequest;

const words = (text: string) => text.trim().split(/\s+/);

const methods = words(`TRACE CONNECT PUT PATCH HEAD OPTIONS DELETE POST get BREW PRI ${plainMarker}`);
const versions = [
  ...words('HTTP/1.0 HTTP/0.9 HTTP/2.0 HTTP/1.2 http/1.1 ICE/1.0'),
  ...['', 'HTTP/1.1 ', 'HTTP/1.1\r\nX: y'],
];
const pathPieces = [
  ...words(`
    %2F %2f %00 %0d%0aSet-Cookie:%20a=b %C0%AE %E2%82%AC %ED%A0%80 /.. /. // %2e%2e/ % %zz %25 ;x=1 ? ??
    & #x ?event=click&event=view /__proto__ /constructor
  `),
  ...['\\', `?${marker}`, `/${plainMarker}`, '\x9b31m', '\xe9\x80', '\t', '\x7f'],
];
const numbers = [
  ...words('-1 +5 0x10 1e3 99999999999999999999 16385 65537 00 1_0 5;a=b NaN'),
  ...['5, 5', '', ' 2', '2 ', '1\t'],
];
const codings = [
  ...words('chunked Chunked identity xchunked "chunked"'),
  ...['chunked, chunked', 'gzip, chunked', 'chunked, gzip', '\vchunked', 'chunked\t'],
];
const values = [
  ...['', ' ', '*', ',,,', ';', '"', '\\', 'q=1;q=2', 'bytes=9-1', marker, `"${marker}"`, 'websocket', 'h2c'],
  ...['100-continue', 'close', 'keep-alive, Host, Content-Length', 'cross-site', 'evil.example', 'Bearer'],
  ...['\x00', 'a\rb', 'a\nb', 'a\r\nX-Split: yes', 'a\r\n folded', '\x01\x02', '\x9b2J', '\xff\xfe'],
  ...['a'.repeat(300), 'a'.repeat(9_000), 'a'.repeat(20_000), `bytes=0-,${'5-6,'.repeat(50)}`],
  ...[`${plainMarker}, 10.0.0.1, [::1]:80, ::ffff:1.2.3.4`, '2001:db8::1%25eth0, ::', 'https://[::1'],
  ...[`Bearer ${'x'.repeat(129)}`, 'Bearer a b', 'Bearer aaaaaaaaaaaaaaaaaaaaa\xe9', `Token ${marker}`],
];
const names = [
  ...words(`
    Range If-Range If-Match If-None-Match If-Modified-Since Accept Accept-Encoding Accept-Language Origin Host
    Referer X-Forwarded-For X-Forwarded-Host Forwarded DNT Sec-GPC Sec-Fetch-Site Content-Type Content-Encoding
    Cookie Authorization X-HTTP-Method-Override Access-Control-Request-Method Access-Control-Request-Headers
    TE Trailer Expect Upgrade Connection HTTP2-Settings Keep-Alive Proxy-Connection __proto__ :
  `),
  ...[plainMarker, 'X Y', 'X\x00', '', 'Content-Length ', '\xe9'],
];
const oddOrigins = [
  ...[':443', ':8443', '.', '/', '\t', '@evil.example', '%00', '#', ' https://evil.example'].map(
    (end) => `https://good.example${end}`,
  ),
  ...words(`
    HTTPS://GOOD.EXAMPLE http://localhos%74:1 http://127.1 http://0x7f.0.0.1 https://.wild.example
    https://xwild.example http://localhost:99999 http://[::1]:80 http://[0:0:0:0:0:0:0:1]
  `),
  `https://${'a.'.repeat(120)}wild.example`,
];
const jsonPieces = [
  ...words('null [] {} -1 1e400 0.5 "\\ud800" true {"__proto__":{"a":1}} [[[[]]]] 9007199254740993 ""'),
  ...[`"${plainMarker}"`, '\x00', '\xff'],
];

const withHeader = (request: HttpRequest, name: string, value: string): HttpRequest => ({
  ...request,
  headers: [...request.headers, [name, value]],
});
const setHeader = (request: HttpRequest, name: string, value: string): HttpRequest =>
  withHeader({ ...request, headers: request.headers.filter(([known]) => known !== name) }, name, value);
const setBody = (request: HttpRequest, body: string) =>
  setHeader({ ...request, body }, 'Content-Length', String(body.length));
const insert = (text: string, piece: string, random: Random) => {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
};

/** Chunks of one to a few bytes; now and then with extensions, trailers, or sizes that lie. */
function chunked(body: string, random: Random): string {
  const parts = body.match(/[\s\S]{1,6}/g) ?? [];
  const chunks = parts.map((part) => {
    const size = part.length.toString(16);
    const told = random.once(20) ? random.pick(['ffffffff', '-1', '0x2', '', 'g', `${size} `]) : size;
    return `${told}${random.once(10) ? `;${marker}="x"` : ''}\r\n${part}\r\n`;
  });
  return `${chunks.join('')}0\r\n${random.once(5) ? `X-Trailer: ${marker}\r\nContent-Length: 4\r\n` : ''}\r\n`;
}

export const mutations: readonly Mutation[] = [
  (request, random) => ({ ...request, method: random.pick(methods) }),
  (request, random) => ({ ...request, version: random.pick(versions) }),
  (request, random) => ({ ...request, target: insert(request.target, random.pick(pathPieces), random) }),
  (request, random) => ({
    ...request,
    target: random.pick([
      ...['http://localhost', 'http://evil.example', '//localhost', 'HTTPS://[::1]:1'].map(
        (start) => start + request.target,
      ),
      ...[`http://${marker}@localhost/`, '*', 'localhost:80', 'http://', 'ftp://localhost/demo'],
      `/${'a'.repeat(random.below(30_000))}`,
      `${request.target}?${'x=y&'.repeat(random.below(3_000))}`,
    ]),
  }),
  (request, random) => withHeader(request, random.pick(names), random.pick(values)),
  (request, random) => setHeader(request, random.pick(names), random.pick(values)),
  (request, random) => setHeader(request, 'Origin', random.pick([...origins, ...oddOrigins])),
  (request, random) => withHeader(request, ...random.pick([...request.headers, ['X', 'y'] as const])),
  (request, random) => ({ ...request, headers: request.headers.filter(() => !random.once(3)) }),
  (request, random) => withHeader(request, 'Content-Length', random.pick(numbers)),
  (request, random) => setHeader(request, 'Content-Length', random.pick(numbers)),
  (request, random) => withHeader(request, 'Transfer-Encoding', random.pick(codings)),
  (request, random) => ({
    ...request,
    headers: [
      ...request.headers.filter(([name]) => name !== 'Content-Length'),
      ['Transfer-Encoding', 'chunked'],
    ],
    body: chunked(request.body, random),
  }),
  (request, random) => setBody(request, insert(request.body, random.pick(jsonPieces), random)),
  (request, random) => setBody(request, replaceOne(request.body, random.pick(jsonPieces), random)),
  (request, random) =>
    setBody(
      request,
      random.pick([
        `{"a":"${'x'.repeat(random.pick([16_376, 16_377, 65_528, 65_529, 1_048_569]))}"}`,
        '['.repeat(random.pick([16_000, 65_536])),
        `{"mode":{"type":"text","text":"${random.pick(['x', '\\u200b', '\\ud800'])}${'y'.repeat(10_000)}"}}`,
        `{"words":${JSON.stringify(new Array(3_201).fill('x'))},"events":[]}`,
        `{"events":[${'{"type":"backspace"},'.repeat(random.pick([499, 500]))}{"type":"space"}]}`,
        marker,
      ]),
    ),
];

/** One name, text, number or truth of a body becomes something else. */
function replaceOne(body: string, piece: string, random: Random): string {
  const places = [...body.matchAll(/"[^"]*"|\d+|true/g)];
  if (places.length === 0) return body;
  const { index, 0: text } = random.pick(places);
  return body.slice(0, index) + piece + body.slice(index + text.length);
}
