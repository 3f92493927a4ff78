import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { between, chance, pause, pick, type World } from '../world.ts';
import type { Answer } from './exchange.ts';

const paths = [
  ...['/js/typebadge-inject.min.js', '/css/typebadge-inject.min.css', '/images/typebadge-logo.svg'],
  '/content/announcement.json',
];
const others = ['/content/history.json', '/feed.atom', '/feed.json', '/demo', '/history'];
const codings = ['gzip', 'br', 'gzip, deflate, br, zstd', 'identity'];
const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;
/** At most so many requests of a group per view, and so long a pause after it: less than any limit allows. */
const viewPause = [500, 900] as const;

/** What visitors have seen, bounded: the bytes behind each tag, and every message. */
export interface Sights {
  readonly bodies: Map<string, string>;
  readonly messages: Set<string>;
}

/** Views pages that carry the badge, at a pace that no limit forbids, from an address that now and then is another one. */
export async function runVisitor(world: World, sights: Sights): Promise<void> {
  const tags = new Map<string, string>();
  while (!world.isEnding()) {
    const client = `10.${between(0, 255)}.${between(0, 255)}.${between(1, 254)}`;
    for (let views = between(1, 12); views > 0 && !world.isEnding(); views--) {
      const headers = {
        'X-Forwarded-For': chance(0.5) ? client : `203.0.113.7, ${client}`,
        'Accept-Encoding': pick(codings),
        Origin: pick(['https://www.example.org', 'https://elsewhere.example']),
      };
      for (const path of paths) await view(world, sights, tags, path, headers);
      if (chance(0.3)) await view(world, sights, tags, pick(others), headers);
      if (chance(0.3)) await count(world, headers);
      await pause(between(...viewPause));
    }
  }
}

type Headers = Readonly<Record<string, string>>;

async function view(
  world: World,
  sights: Sights,
  tags: Map<string, string>,
  path: string,
  headers: Headers,
): Promise<void> {
  const tag = chance(0.6) ? tags.get(path) : undefined;
  const condition: Headers = tag === undefined ? {} : { 'If-None-Match': tag };
  const kind = tag === undefined ? 'visitor: plain' : 'visitor: conditional';
  const answer = await world.ask(kind, { path, headers: { ...headers, ...condition }, keep: !chance(0.2) });
  const problem = problemOf(answer, path, tag, headers) ?? problemOfBody(answer, path, sights);
  if (problem !== undefined) world.tally.fault(`${path}: ${problem}`);
  if (answer.headers.etag !== undefined) tags.set(path, answer.headers.etag);
}

function problemOf({ status, headers, body }: Answer, path: string, tag: string | undefined, sent: Headers) {
  const isSame = tag !== undefined && headers.etag === tag;
  if (status !== (isSame ? 304 : 200)) return `status ${status} for ${tag}`;
  const allowed = sent.Origin === 'https://www.example.org' ? sent.Origin : undefined;
  const isPage = path === '/demo' || path === '/history';
  if (!isPage && headers['access-control-allow-origin'] !== allowed)
    return 'wrong Access-Control-Allow-Origin';
  const owed = isSame ? 0 : Number(headers['content-length']);
  return body.length === owed ? undefined : 'a body of another length than owed';
}

function problemOfBody({ status, headers, body }: Answer, path: string, sights: Sights): string | undefined {
  if (status === 304) return undefined;
  const decode = decoders[headers['content-encoding'] as keyof typeof decoders] ?? ((bytes: Buffer) => bytes);
  const text = decode(body).toString();
  const key = `${path} ${headers.etag}`;
  const hash = createHash('sha256').update(text).digest('base64');
  const before = sights.bodies.get(key);
  if (before !== undefined) return before === hash ? undefined : 'another body under the same tag';
  if (sights.bodies.size < 100_000) sights.bodies.set(key, hash);
  if (!path.startsWith('/content/')) return undefined;
  const value = JSON.parse(text) as { message?: string; announcements?: { message: string }[] };
  for (const { message } of value.announcements ?? [value as { message: string }])
    sights.messages.add(message);
  return undefined;
}

async function count(world: World, headers: Headers): Promise<void> {
  const path = '/pulse?event=impression&id=2026-001';
  const { status } = await world.ask('visitor: pulse', { path, headers });
  if (status !== 204) world.tally.fault(`pulse: ${status}`);
}
