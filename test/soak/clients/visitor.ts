import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { between, chance, pause, pick, type World } from '../world.ts';
import type { Answer } from './exchange.ts';

const assets = ['/js/typebadge-inject.min.js', '/css/typebadge-inject.min.css', '/images/typebadge-logo.svg'];
const contents = ['/content/announcement.json', '/content/history.json', '/feed.atom', '/feed.json'];
const pages = ['/demo', '/history'];
const codings = ['', 'gzip', 'br', 'br;q=0.5, gzip', 'gzip, deflate, br, zstd', 'identity'];
/** At most so many requests of a group per view, and so long a pause after it: less than any limit allows. */
const viewPause = [500, 900] as const;

/** What visitors have seen, bounded: the bytes behind each tag, and every message. */
export interface Sights {
  readonly bodies: Map<string, string>;
  readonly messages: Set<string>;
}

/** Views pages that carry the badge, at a pace that no limit forbids, from an address that now and then is another one. */
export async function runVisitor(world: World, sights: Sights): Promise<void> {
  const known = new Map<string, string>();
  while (!world.isEnding()) {
    const client = `10.${between(0, 255)}.${between(0, 255)}.${between(1, 254)}`;
    for (let views = between(1, 12); views > 0 && !world.isEnding(); views--) {
      const headers = newHeaders(client);
      for (const path of assets) await view(world, sights, known, path, headers);
      await view(world, sights, known, '/content/announcement.json', headers);
      if (chance(0.3)) await view(world, sights, known, pick(contents), headers);
      if (chance(0.1)) await view(world, sights, known, pick(pages), headers);
      if (chance(0.3)) await visitAside(world, headers);
      await pause(between(...viewPause));
    }
  }
}

function newHeaders(client: string): Record<string, string> {
  const coding = pick(codings);
  return {
    'X-Forwarded-For': chance(0.5) ? client : `203.0.113.7, ${client}`,
    ...(coding === '' ? {} : { 'Accept-Encoding': coding }),
    ...(chance(0.7) ? { Origin: chance(0.8) ? 'https://www.example.org' : 'https://elsewhere.example' } : {}),
  };
}

async function view(
  world: World,
  sights: Sights,
  known: Map<string, string>,
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  const tag = chance(0.6) ? known.get(path) : undefined;
  const method = chance(0.1) ? 'HEAD' : 'GET';
  const condition: Record<string, string> = tag === undefined ? {} : { 'If-None-Match': tag };
  const kind = `${method} ${tag === undefined ? 'plain' : 'conditional'}`;
  const answer = await world.ask(kind, {
    method,
    path,
    headers: { ...headers, ...condition },
    keep: !chance(0.2),
  });
  const problem = problemOf(answer, { path, method, tag, headers }, sights);
  if (problem !== undefined) world.tally.fault(`${method} ${path}: ${problem}`);
  if (typeof answer.headers.etag === 'string') known.set(path, answer.headers.etag);
}

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly tag: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

function problemOf(answer: Answer, asked: Asked, sights: Sights): string | undefined {
  const { status, headers, body } = answer;
  if (status !== 200 && !(status === 304 && asked.tag !== undefined)) return `status ${status}`;
  const { etag } = headers;
  if (typeof etag !== 'string') return 'no ETag';
  if (status === 304 && asked.tag !== etag) return '304 for another tag';
  if (status === 200 && asked.tag === etag) return 'sent again although the tag matches';
  if (!pages.includes(asked.path)) {
    const allowed = asked.headers.Origin === 'https://www.example.org' ? asked.headers.Origin : undefined;
    if (headers['access-control-allow-origin'] !== allowed) return 'wrong Access-Control-Allow-Origin';
    if (!headers.vary?.includes('Origin')) return 'no Vary: Origin';
  }
  if (status === 304 || asked.method === 'HEAD')
    return body.length === 0 ? undefined : 'a body where none is owed';
  if (Number(headers['content-length']) !== body.length) return 'a body that is not Content-Length long';
  return problemOfBody(decode(answer), asked.path, `${asked.path} ${etag}`, sights);
}

function problemOfBody(text: string, path: string, key: string, sights: Sights): string | undefined {
  const hash = createHash('sha256').update(text).digest('base64');
  const before = sights.bodies.get(key);
  if (before !== undefined) return before === hash ? undefined : 'another body under the same tag';
  if (sights.bodies.size < 100_000) sights.bodies.set(key, hash);
  if (!path.endsWith('.json')) return text.length > 200 ? undefined : `only ${text.length} characters`;
  const value = JSON.parse(text) as { message?: string; announcements?: { message: string }[] };
  if (path === '/content/announcement.json') sights.messages.add(value.message as string);
  for (const { message } of value.announcements ?? []) sights.messages.add(message);
  return undefined;
}

function decode({ headers, body }: Answer): string {
  switch (headers['content-encoding']) {
    case 'br':
      return brotliDecompressSync(body).toString();
    case 'gzip':
      return gunzipSync(body).toString();
    default:
      return body.toString();
  }
}

/** What sites and strangers ask for beside the badge. */
async function visitAside(world: World, headers: Record<string, string>): Promise<void> {
  const [kind, question, status] = pick([
    ['health', { path: '/health' }, 200],
    ['unknown path', { path: '/health/' }, 404],
    ['pulse', { path: '/pulse?event=impression&id=2026-001' }, 204],
    ['bad pulse', { path: '/pulse?event=nothing&id=2026-001' }, 400],
    ['preflight', { method: 'OPTIONS', path: contents[0] as string }, undefined],
    ['wrong method', { method: 'POST', path: contents[0] as string, body: '{}' }, 405],
  ] as const);
  const owed = status ?? (headers.Origin === 'https://www.example.org' ? 204 : 403);
  const request = kind === 'preflight' ? { 'Access-Control-Request-Method': 'GET' } : {};
  const answer = await world.ask(kind, { ...question, headers: { ...headers, ...request } });
  if (answer.status !== owed)
    world.tally.fault(`${kind}: ${answer.status} instead of ${owed} ${answer.body.toString().slice(0, 100)}`);
}
