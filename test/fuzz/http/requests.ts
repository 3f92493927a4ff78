import { modes, modeTypes } from '../../../src/typing/modes/mode.ts';
import { flawless, sessionOperations } from '../../support/typing-client.ts';
import type { Random } from '../random.ts';

/** A request in parts, each of which may be nonsense. */
export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As sent: chunked already, where that is what the headers say. */
  readonly body: string;
}

/** Every character is one byte. */
export function bytesOf({ method, target, version, headers, body }: HttpRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} ${version}\r\n${lines.join('')}\r\n${body}`, 'latin1');
}

/** Stands for the id of the session in that place, until the bytes are sent. As long as a real id. */
export const sessionPlaces = Array.from({ length: 8 }, (_, at) => `${at}`.repeat(32));

/** Put wherever a request says anything; no answer may ever hold it. */
export const marker = 'zQ7vX<"\'>';
export const plainMarker = 'zQ7vX';

/** Allowed on both servers, allowed on the loopback one, never allowed. */
export const origins = [
  'https://good.example',
  'https://a.wild.example',
  'http://localhost:3000',
  'https://wild.example',
  'https://good.example.evil.example',
  'null',
  `https://${plainMarker}.example`,
];

/** Players whom the requests claim to be. */
const playerKeys = ['fuzz-player-of-22-chars', 'A'.repeat(22), `${'_-'.repeat(64)}`] as const;

const badgePaths = [
  ...['/content/active.json', '/health/ready', '/feed.atom?lang=de', '/feed.json', '/health', '/demo', '/'],
  ...['/js/typebadge-inject.min.js', '/css/typebadge-inject.min.css', '/images/typebadge-logo.svg'],
  ...['/content/announcement.json', '/content/history.json', '/history', '/pulse?event=click&id=2026-001'],
];
const typingReads = [
  ...['/health', '/sessions', '/openapi.json', '/languages', '/layouts', '/rounds', '/rounds?limit=1000'],
  `/sessions?limit=1000&after=${sessionPlaces[0]}`,
  ...sessionOperations.filter(({ method }) => method === 'GET').map(({ pathOf }) => pathOf('{}')),
  '/sessions/{}/stats/historical?mode=all&language=en&layout=qwerty',
];

/** A request that is right in every way, to any endpoint. */
export function pickRequest(random: Random): HttpRequest {
  const headers: [string, string][] = [['Host', random.pick(['localhost', '127.0.0.1:8787', '[::1]'])]];
  if (random.once(3)) headers.push(['Origin', random.pick(origins)]);
  const place = (path: string) =>
    random.pick(['/api', '/api/v1']) + path.replace('{}', random.pick(sessionPlaces));
  const request = (method: string, target: string, body = ''): HttpRequest => ({
    method,
    target,
    version: 'HTTP/1.1',
    headers,
    body,
  });
  const kind = random.below(12);
  if (kind < 4) {
    const conditions: [string, string][] = [
      ['Accept-Encoding', random.pick(['br', 'gzip', 'gzip, br;q=0.5', 'identity', '*;q=0'])],
      ['If-None-Match', random.pick(['*', '"x"', 'W/"x", "y"'])],
      ['Accept', random.pick(['text/html', 'application/json', '*/*'])],
    ];
    headers.push(...conditions.filter(() => random.once(3)));
    return request(random.pick(['GET', 'GET', 'HEAD']), random.pick(badgePaths));
  }
  if (kind === 4) {
    headers.push(['Access-Control-Request-Method', 'POST']);
    return request('OPTIONS', random.pick([...badgePaths, ...typingReads.map(place)]));
  }
  const [method, path, body] = kind < 7 ? ['GET', random.pick(typingReads), ''] : pickChange(random);
  // Without a key, the player would be everybody who has none.
  if (path === '/player' || random.once(4))
    headers.push(['Authorization', `Bearer ${random.pick(playerKeys)}`]);
  if (method === 'POST')
    headers.push(['Content-Type', 'application/json'], ['Content-Length', String(body.length)]);
  return request(method, place(path), body);
}

const timing = { start_time_unix_ms: 1_700_000_000_000, end_time_unix_ms: 1_700_000_060_000 };
const setups = [
  ...modeTypes.map((type) => ({ mode: modes[type].example })),
  { language: 'de', layout: 'neo', rules: { early_space: 'skip', stop_on: 'word', backspace: 'none' } },
  { punctuation_mode: true },
];

function pickChange(random: Random): readonly [method: string, path: string, body: string] {
  const post = (path: string, body: object) => ['POST', path, JSON.stringify(body)] as const;
  const seq = random.pick([{}, { seq: 1 }, { seq: 500 }]);
  const words = Array.from({ length: random.pick([1, 2, 30, 200]) }, () => random.pick(['a', 'be', 'see']));
  const id = `00000000-0000-4000-8000-0000000000${10 + random.below(40)}`;
  const events = flawless(words);
  return random.pick([
    post('/sessions', random.pick(setups)),
    ['POST', '/sessions/{}/round', ''],
    ['POST', '/sessions/{}/save', ''],
    post('/sessions/{}/keystroke', { char: 'e', seek_time_ms: 120, ...seq }),
    post('/sessions/{}/backspace', seq),
    post('/sessions/{}/space', { char: '\n', ...seq }),
    post('/sessions/{}/input', { events: events.slice(0, 500) }),
    post('/sessions/{}/timing', { ...timing, duration_ms: 60_000 }),
    // Few ids, so that the same one comes again, by the same player and by others.
    post('/rounds', { id, words, events, mode: { type: 'text' }, ...timing, duration_ms: 60_000 }),
    random.once(20) ? ['DELETE', '/player', ''] : ['DELETE', '/sessions/{}', ''],
  ]);
}

const oneRequest =
  /^(?:GET|HEAD|POST|DELETE|OPTIONS) \/[!-~]* HTTP\/1\.1\r\n(?:[A-Za-z][A-Za-z-]*: [!-~]?[ -~]*\r\n)+\r\n/;
const unclear = /\r\n(?:transfer-encoding|expect|upgrade|connection|te|trailer):/i;

export interface SureRequests {
  readonly count: number;
  /** Whether nothing stands behind them. */
  readonly isAll: boolean;
}

/**
 * How many whole requests these bytes begin with beyond any doubt, by rules of its own that are far stricter
 * than those of HTTP. The server must answer every one of them without being told that nothing more comes.
 */
export function sureRequests(bytes: Buffer): SureRequests {
  let rest = bytes.toString('latin1');
  for (let count = 0; ; count += 1) {
    const head = oneRequest.exec(rest)?.[0];
    if (head === undefined || head.length > 8_000 || unclear.test(head)) return { count, isAll: rest === '' };
    const lengths = [...head.matchAll(/\r\ncontent-length: *(\d{1,6}|[^\r]*)\r/gi)].map(([, value]) => value);
    const [length = '0'] = lengths;
    const end = head.length + Number(length);
    if (lengths.length > 1 || !/^\d{1,6}$/.test(length) || end > rest.length) return { count, isAll: false };
    rest = rest.slice(end);
  }
}
