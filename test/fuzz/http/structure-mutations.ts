import type { Random } from '../random.ts';
import type { HttpRequest } from './http-request.ts';
import { marker, origins, plainMarker } from './request-corpus.ts';
import { brokenAuthorizations } from './typing-corpus.ts';

type Mutation = (request: HttpRequest, random: Random) => HttpRequest;

const words = (text: string) => text.trim().split(/\s+/);

const methods = words(
  `TRACE CONNECT PUT PATCH HEAD OPTIONS DELETE POST get BREW PRI M-SEARCH ${plainMarker}`,
);
const versions = [
  ...words('HTTP/1.0 HTTP/0.9 HTTP/2.0 HTTP/1.2 http/1.1 ICE/1.0 RTSP/1.0'),
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
  ...words('-1 +5 0x10 1e3 99999999999999999999 16385 65537 9007199254740993 00 1_0 5;a=b NaN'),
  ...['5, 5', '', ' 2', '2 ', '1\t'],
];
const codings = [
  ...words('chunked Chunked identity xchunked "chunked"'),
  ...['chunked, chunked', 'gzip, chunked', 'chunked, gzip', '\vchunked', 'chunked\t'],
];
const junkValues = [
  ...[
    '',
    ' ',
    '*',
    ',',
    ',,,',
    ';',
    '"',
    '""',
    '\\',
    '-',
    '=',
    'q=1;q=2',
    'bytes=9-1',
    marker,
    `"${marker}"`,
  ],
  ...['\x00', 'a\rb', 'a\nb', 'a\r\nX-Split: yes', 'a\r\n folded', '\x01\x02', '\x9b2J', '\xff\xfe'],
  ...['a'.repeat(300), 'a'.repeat(9_000), 'a'.repeat(20_000), '1'.repeat(400)],
  `bytes=0-,${'5-6,'.repeat(50)}`,
];
const names = [
  ...words(`
    Range If-Range If-Match If-None-Match If-Modified-Since If-Unmodified-Since Accept Accept-Encoding
    Accept-Language Origin Host Referer User-Agent X-Forwarded-For X-Forwarded-Host Forwarded DNT
    Sec-GPC Sec-Fetch-Site Content-Type Content-Encoding Cookie Authorization X-HTTP-Method-Override
    Access-Control-Request-Method Access-Control-Request-Headers Access-Control-Request-Private-Network
    TE Trailer Via Keep-Alive Proxy-Connection __proto__ :
  `),
  ...[plainMarker, 'X Y', 'X\x00', '', 'Content-Length ', '\xe9'],
];
const particular: readonly (readonly [string, string])[] = [
  ['Expect', '100-continue'],
  ['Expect', plainMarker],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['HTTP2-Settings', 'AAMAAABkAAQAoAAAAAIAAAAA'],
  ['Connection', 'close'],
  ['Connection', 'Upgrade'],
  ['Connection', 'keep-alive, Host, Content-Length'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['X-Forwarded-For', `${plainMarker}, 10.0.0.1, [::1]:80, ::ffff:1.2.3.4`],
  ['X-Forwarded-For', '2001:db8::1%25eth0, 1.2.3.4.5, ::'],
  ['Host', 'evil.example'],
  ['Host', `${plainMarker}.example`],
  ['Referer', `https://a.wild.example/${marker}`],
  ['Referer', 'https://[::1'],
  ['Accept', `text/html;q=1,${marker}`],
];

const withHeader = (request: HttpRequest, name: string, value: string): HttpRequest => ({
  ...request,
  headers: [...request.headers, [name, value]],
});
const setHeader = (request: HttpRequest, name: string, value: string): HttpRequest =>
  withHeader({ ...request, headers: request.headers.filter(([known]) => known !== name) }, name, value);
const insert = (text: string, piece: string, at: number) => text.slice(0, at) + piece + text.slice(at);

/** Chunks of one to a few bytes; now and then with extensions, trailers, or sizes that lie. */
function toChunks(body: string, random: Random): string {
  let chunks = '';
  for (let at = 0; at < body.length; ) {
    const size = 1 + random.below(7);
    const part = body.slice(at, at + size);
    const told = random.once(20)
      ? random.pick(['ffffffff', '-1', '0x2', '', 'g', '10000000000000000', `${part.length.toString(16)} `])
      : part.length.toString(16);
    chunks += `${told}${random.once(10) ? `;${marker}="x"` : ''}\r\n${part}\r\n`;
    at += size;
  }
  return `${chunks}0\r\n${random.once(5) ? `X-Trailer: ${marker}\r\nContent-Length: 4\r\n` : ''}\r\n`;
}

const jsonPieces = [
  ...words('null [] {} -1 1e400 0.5 "\\ud800" true {"__proto__":{"a":1}} [[[[]]]] 9007199254740993 ""'),
  ...[`"${plainMarker}"`, '\x00', '\xff'],
];

/** Ways to spoil a request whose parts are still known. */
export const structureMutations: readonly Mutation[] = [
  (request, random) => ({ ...request, method: random.pick(methods) }),
  (request, random) => ({ ...request, version: random.pick(versions) }),
  (request, random) => ({
    ...request,
    target: insert(request.target, random.pick(pathPieces), random.below(request.target.length + 1)),
  }),
  (request, random) => ({
    ...request,
    target: random.pick([
      `http://localhost${request.target}`,
      `http://evil.example${request.target}`,
      `http://${marker}@localhost/`,
      `HTTPS://[::1]:1${request.target}`,
      `//localhost${request.target}`,
      '*',
      'localhost:80',
      `/${'a'.repeat(random.below(30_000))}`,
      `${request.target}?${'x=y&'.repeat(random.below(3_000))}`,
      request.target.slice(1),
      'http://',
      'ftp://localhost/demo',
    ]),
  }),
  (request, random) => withHeader(request, random.pick(names), random.pick(junkValues)),
  (request, random) => withHeader(request, ...random.pick(particular)),
  (request, random) => setHeader(request, 'Authorization', random.pick(brokenAuthorizations)),
  (request, random) =>
    setHeader(
      request,
      'Origin',
      random.pick([
        ...origins,
        `https://good.example${random.pick([':443', ':8443', '.', '/', '\t', '@evil.example', '%00', '#', ' https://evil.example'])}`,
        'HTTPS://GOOD.EXAMPLE',
        'http://localhos%74:1',
        'http://127.1',
        'http://0x7f.0.0.1',
        'https://.wild.example',
        'https://xwild.example',
        `https://${'a.'.repeat(120)}wild.example`,
        'http://localhost:99999',
        'http://[::1]:80',
        'http://[0:0:0:0:0:0:0:1]',
      ]),
    ),
  (request, random) => withHeader(request, ...random.pick([...request.headers, ['X', 'y'] as const])),
  (request, random) => ({ ...request, headers: request.headers.filter(() => !random.once(2)) }),
  (request, random) => ({
    ...request,
    headers: request.headers.map(
      ([name, value]) => [name, random.once(2) ? random.pick(junkValues) : value] as const,
    ),
  }),
  (request, random) => ({
    ...request,
    headers: request.headers.map(
      ([name, value]) =>
        [
          random.pick([name.toUpperCase(), name.toLowerCase(), `${name} `, ` ${name}`, `${name}\r\n `]),
          value,
        ] as const,
    ),
  }),
  (request, random) => ({
    ...request,
    headers: [
      ...request.headers,
      ...Array.from({ length: random.pick([50, 150, 1_999, 2_100]) }, (_, at) => [`X-${at}`, 'y'] as const),
    ],
  }),
  (request, random) => setHeader(request, 'Content-Length', random.pick(numbers)),
  (request, random) => withHeader(request, 'Content-Length', random.pick(numbers)),
  (request, random) => setHeader(request, 'Content-Length', String(random.below(200))),
  (request, random) => withHeader(request, 'Transfer-Encoding', random.pick(codings)),
  (request, random) => ({
    ...request,
    headers: [
      ...request.headers.filter(([name]) => name !== 'Content-Length'),
      ['Transfer-Encoding', 'chunked'] as const,
    ],
    body: toChunks(request.body, random),
  }),
  (request, random) => setBody(request, replaceOne(request.body, random.pick(jsonPieces), random)),
  (request, random) =>
    setBody(request, insert(request.body, random.pick(jsonPieces), random.below(request.body.length + 1))),
  (request, random) =>
    setBody(
      request,
      random.pick([
        `{"a":"${'x'.repeat(random.pick([16_376, 16_377, 40_000, 65_528, 65_529, 1_048_568, 1_048_569]))}"}`,
        '['.repeat(random.pick([16_000, 65_536, 1_048_576])),
        `{"events":[${'[{"a":'.repeat(random.pick([30, 33, 4_000]))}`,
        `{"mode":{"type":"text","text":"${random.pick(['x', 'a ', '\\u200b', '\\ud800', '\\n'])}${'y'.repeat(random.pick([9_999, 10_001, 60_000]))}"}}`,
        `{"words":${JSON.stringify(Array.from({ length: random.pick([3_200, 3_201]) }, () => 'x'))},"events":[]}`,
        `{"events":[${'{"type":"backspace"},'.repeat(random.pick([499, 500, 2_000]))}{"type":"space"}]}`,
        marker,
      ]),
    ),
  (request) => setHeader(setHeader(request, 'Expect', '100-continue'), 'Content-Length', '10000000'),
];

/** One name, text, number or truth of a body becomes something else. */
function replaceOne(body: string, piece: string, random: Random): string {
  const places = [...body.matchAll(/"[^"]*"|\d+|true/g)];
  if (places.length === 0) return body;
  const { index, 0: text } = random.pick(places);
  return body.slice(0, index) + piece + body.slice(index + text.length);
}

function setBody(request: HttpRequest, body: string): HttpRequest {
  return setHeader({ ...request, body }, 'Content-Length', String(body.length));
}
