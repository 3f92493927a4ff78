import { sessionOperations } from '../../support/typing-client.ts';
import type { Random } from '../random.ts';
import type { HttpRequest } from './http-request.ts';
import { pickTypingCall, playerKeys } from './typing-corpus.ts';

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

const badgePaths = [
  ...['/content/active.json', '/health/ready', '/feed.atom?lang=de', '/feed.json?lang=de'],
  ...['/js/typebadge-inject.min.js', '/css/typebadge-inject.min.css', '/images/typebadge-logo.svg'],
  ...['/content/announcement.json', '/content/history.json', '/health', '/demo', '/history', '/'],
  ...['/feed.atom', '/feed.json', '/pulse?event=click&id=2026-001', '/pulse?event=impression&id=2026-001'],
];
const typingReads = [
  '/health',
  '/sessions',
  '/openapi.json',
  '/languages',
  '/layouts',
  '/sessions?limit=2',
  `/sessions?limit=1000&after=${sessionPlaces[0]}`,
  '/rounds',
  '/rounds?limit=1000',
  '/rounds?limit=3&after=00000000-0000-4000-8000-000000000011',
  ...sessionOperations
    .filter(({ method }) => method === 'GET')
    .map(({ pathOf }) => pathOf('S').replace('/sessions', '')),
  '/S/stats/historical?mode=all&language=en&layout=qwerty',
  '/S/stats/historical?mode=words-30',
];
/** A request that is right in every way, to any endpoint. */
export function pickRequest(random: Random): HttpRequest {
  const version = 'HTTP/1.1';
  const headers: [string, string][] = [['Host', random.pick(['localhost', '127.0.0.1:8787', '[::1]'])]];
  if (random.once(3)) headers.push(['Origin', random.pick(origins)]);
  const prefix = random.pick(['/api', '/api', '/api/v1']);
  const place = (path: string) => prefix + path.replace('/S/', `/sessions/${random.pick(sessionPlaces)}/`);
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const conditions: [string, string][] = [
        ['Accept-Encoding', random.pick(['br', 'gzip', 'gzip, br;q=0.5', 'identity', '*;q=0'])],
        ['If-None-Match', random.pick(['*', '"x"', 'W/"x", "y"'])],
        ['Accept', random.pick(['text/html', 'application/json', '*/*'])],
      ];
      headers.push(...conditions.filter(() => random.once(3)));
      return {
        method: random.pick(['GET', 'GET', 'HEAD']),
        target: random.pick(badgePaths),
        version,
        headers,
        body: '',
      };
    }
    case 4:
    case 5:
      if (random.once(3)) headers.push(['Authorization', `Bearer ${random.pick(playerKeys)}`]);
      return { method: 'GET', target: place(random.pick(typingReads)), version, headers, body: '' };
    case 6: {
      headers.push(['Access-Control-Request-Method', 'POST']);
      const path = random.once(2) ? random.pick(badgePaths) : place(random.pick(typingReads));
      return { method: 'OPTIONS', target: path, version, headers, body: '' };
    }
    case 7:
      if (random.once(6))
        return {
          method: 'DELETE',
          target: place('/S').replace('/S', '/sessions/0'),
          version,
          headers,
          body: '',
        };
      return {
        method: 'DELETE',
        target: `${prefix}/sessions/${random.pick(sessionPlaces)}`,
        version,
        headers,
        body: '',
      };
    default: {
      const { method, path, body } = pickTypingCall(random);
      // Without a key that would be everybody's sessions.
      if (path === '/player' || random.once(5))
        headers.push(['Authorization', `Bearer ${random.pick(playerKeys)}`]);
      headers.push(['Content-Type', 'application/json'], ['Content-Length', String(body.length)]);
      return { method, target: place(path), version, headers, body };
    }
  }
}
