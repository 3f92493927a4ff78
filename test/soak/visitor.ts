import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { runTypebadge } from '../support/typebadge-process.ts';
import { type Answer, between, chance, pick, type World } from './world.ts';

const badge = '/content/announcement.json';
const paths = [
  ...['/js/typebadge-inject.min.js', '/css/typebadge-inject.min.css', '/images/typebadge-logo.svg', badge],
];
const others = ['/content/history.json', '/feed.atom', '/feed.json', '/demo', '/history'];
const codings = ['gzip', 'br', 'gzip, deflate, br, zstd', 'identity'];

/** The hash of the bytes behind each tag. */
export type Sights = Map<string, string>;

/** Views pages that carry the badge, at a pace that no limit forbids, from an address that now and then is another one. */
export async function runVisitor(world: World, sights: Sights): Promise<void> {
  const tags = new Map<string, string>();
  const client = `10.${between(0, 255)}.${between(0, 255)}.${between(1, 254)}`;
  for (let views = between(1, 12); views > 0; views -= 1) {
    const headers = {
      'X-Forwarded-For': chance(0.5) ? client : `203.0.113.7, ${client}`,
      'Accept-Encoding': pick(codings),
      Origin: pick(['https://www.example.org', 'https://elsewhere.example']),
    };
    const seen = chance(0.3) ? [...paths, pick(others)] : paths;
    for (const path of seen) await view(world, sights, tags, path, headers);
    if (chance(0.3)) {
      const path = '/pulse?event=impression&id=2026-001';
      const { status } = await world.ask('visitor: pulse', { path, headers });
      if (status !== 204) world.tally.fault(`pulse: ${status}`);
    }
    await pause(between(500, 900));
  }
}

async function view(
  world: World,
  sights: Sights,
  tags: Map<string, string>,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const tag = chance(0.6) ? tags.get(path) : undefined;
  const kind = tag === undefined ? 'visitor: plain' : 'visitor: conditional';
  const sent = tag === undefined ? headers : { ...headers, 'If-None-Match': tag };
  const answer = await world.ask(kind, { path, headers: sent, keep: !chance(0.2) });
  const problem = problemOf(answer, path, tag, headers.Origin) ?? problemOfBody(answer, path, sights);
  if (problem !== undefined) world.tally.fault(`${path}: ${problem}`);
  if (answer.headers.etag !== undefined) tags.set(path, answer.headers.etag);
}

function problemOf({ status, headers, body }: Answer, path: string, tag: string | undefined, origin = '') {
  const isSame = tag !== undefined && headers.etag === tag;
  if (status !== (isSame ? 304 : 200)) return `status ${status} for ${tag}`;
  const allowed = origin === 'https://www.example.org' ? origin : undefined;
  const isPage = path === '/demo' || path === '/history';
  if (!isPage && headers['access-control-allow-origin'] !== allowed)
    return 'wrong Access-Control-Allow-Origin';
  const owed = isSame ? 0 : Number(headers['content-length']);
  return body.length === owed ? undefined : 'a body of another length than owed';
}

function problemOfBody({ status, headers, body }: Answer, path: string, sights: Sights): string | undefined {
  if (status === 304) return undefined;
  const key = `${path} ${headers.etag} ${headers['content-encoding']}`;
  const hash = createHash('sha256').update(body).digest('base64');
  const before = sights.get(key);
  if (before === undefined && sights.size < 100_000) sights.set(key, hash);
  return before === undefined || before === hash ? undefined : 'another body under the same tag';
}

/** How long a change may take until it shows before that is a fault, in milliseconds: the machine is fully loaded. */
const longestWait = 10_000;

/** Publishes and undoes by the real commands, and waits for each change to show. */
export async function runEditor(world: World, contentDir: string): Promise<void> {
  const { tally } = world;
  const shown = async (): Promise<string> => {
    const headers = { 'X-Forwarded-For': `198.51.100.${between(0, 254)}` };
    const { body } = await world.ask('editor: looks', { path: badge, headers });
    return JSON.parse(body.toString()).message;
  };
  const change = async (message: string, ...args: string[]) => {
    const kind = `editor: ${args[0]}`;
    const start = performance.now();
    const { code, stderr } = await runTypebadge([
      'announce',
      ...args,
      '--content',
      contentDir,
      '--by',
      'soak',
    ]);
    const changed = performance.now();
    tally.record(kind, changed - start);
    if (code !== 0) return tally.fault(`${kind} ended with ${code}: ${stderr.slice(0, 200)}`);
    while ((await shown()) !== message) {
      if (performance.now() - changed > longestWait) return tally.fault(`${kind} does not show`);
      await pause(100);
    }
    return tally.record(`${kind} shows`, performance.now() - changed);
  };
  const before = await shown();
  const text = `Message of the soak at ${Date.now()}`;
  await change(text, 'publish', text, '--expires', '+30d');
  await change(before, 'undo');
  await pause(1000);
}
