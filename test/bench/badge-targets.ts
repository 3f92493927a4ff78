import { type LoadResult, load } from './load.ts';
import { hasNginx, serveByNginx } from './peers/nginx.ts';
import { readProcessorTime, type Serving, serve } from './serving.ts';
import { median, medianRatio } from './statistics.ts';

export interface Result extends LoadResult {
  /** Microseconds of processor time an answer took. */
  readonly cost: number;
}

/** A server and what is asked of it. */
export interface Target {
  readonly name: string;
  readonly serving: Serving;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** See `LoadOptions`. */
  readonly clients: number | undefined;
  readonly results: Result[];
}

/** Targets that are compared with each other, ours first. */
export interface Comparison {
  readonly title: string;
  readonly targets: readonly Target[];
}

export interface BadgeTargets {
  readonly comparisons: readonly Comparison[];
  readonly servings: ReadonlyMap<string, Serving>;
}

const path = '/content/announcement.json';
const scriptPath = '/js/typebadge-inject.min.js';
const origin = { Origin: 'https://example.org' };
/** As many as an IPv4 /16 holds, and six times as many as the limiter remembers. */
const world = 65_536;

/** Starts every server, and says what is asked of each. */
export async function openBadgeTargets(): Promise<BadgeTargets> {
  const ours = await serve('./peers/typebadge.ts');
  const answer = await fetch(`${ours.url}${path}`, { headers: { ...origin, 'Accept-Encoding': 'identity' } });
  const body = Buffer.from(await answer.arrayBuffer());
  const encoded = body.toString('base64');
  const bare = await serve('./peers/bare.ts', [JSON.stringify(sameHeaders(answer.headers)), encoded]);
  const fastify = await serve('./peers/fastify.ts', [encoded]);
  const nginx = hasNginx ? await serveByNginx(body) : undefined;
  const strict = await serve('./peers/typebadge.ts', ['1']);
  const strictFastify = await serve('./peers/fastify.ts', [encoded, '1']);

  const forwarded = (name: string, serving: Serving) => newTarget(name, serving, { clients: world });
  const tagged = { ...origin, 'If-None-Match': answer.headers.get('etag') ?? '' };
  const brotli = { ...origin, 'Accept-Encoding': 'br' };
  const comparisons = [
    {
      title: `announcement, ${world.toLocaleString('en')} clients behind a proxy, Origin allowed`,
      targets: [
        forwarded('typebadge', ours),
        forwarded('bare node:http', bare),
        forwarded('Fastify, cors, rate-limit', fastify),
        ...(nginx === undefined ? [] : [forwarded('nginx, real_ip, map, limit_req', nginx)]),
      ],
    },
    {
      title: 'announcement, 1,000 connections without a proxy',
      targets: [
        newTarget('typebadge', ours, { connections: 1_000 }),
        newTarget('bare node:http', bare, { connections: 1_000 }),
      ],
    },
    {
      title: 'refused for too many requests (429), one client',
      targets: [
        newTarget('typebadge, 429', strict),
        newTarget('typebadge, 200', ours),
        newTarget('Fastify, 429', strictFastify),
      ],
    },
    {
      title: 'revalidated, and compressed',
      targets: [
        newTarget('typebadge, 304', ours, { headers: tagged }),
        newTarget('typebadge, 200', ours),
        newTarget('typebadge, script in brotli', ours, { path: scriptPath, headers: brotli }),
        newTarget('typebadge, script as it is', ours, { path: scriptPath }),
      ],
    },
  ];
  const servings = new Map([
    ['typebadge', ours],
    ['bare node:http', bare],
    ['Fastify, cors, rate-limit', fastify],
    ...(nginx === undefined ? [] : [['nginx, real_ip, map, limit_req', nginx] as const]),
    ['typebadge with a limit', strict],
    ['Fastify with a limit', strictFastify],
  ]);
  return { comparisons, servings };
}

function newTarget(name: string, serving: Serving, asked: Partial<Target> = {}): Target {
  return { name, serving, path, headers: origin, connections: 32, clients: undefined, results: [], ...asked };
}

/** One round of load on one target. */
export async function measure(target: Target, seconds: number): Promise<void> {
  const { serving, headers, connections, clients, results } = target;
  const before = readProcessorTime(serving.pid);
  const result = await load({
    url: `${serving.url}${target.path}`,
    headers,
    seconds,
    connections,
    ...(clients === undefined ? {} : { clients }),
  });
  results.push({ ...result, cost: (readProcessorTime(serving.pid) - before) / result.count });
}

export const speedOf = ({ results }: Target): number => median(results.map(({ perSecond }) => perSecond));
export const costOf = ({ results }: Target): number => median(results.map(({ cost }) => cost));

/** How many times as fast the one is as the other. */
export function speedRatio(one: Target, other: Target): number {
  return medianRatio(
    one.results.map(({ perSecond }) => perSecond),
    other.results.map(({ perSecond }) => perSecond),
  );
}

/** The same by processor time, which a busy machine disturbs less. */
export function costRatio(one: Target, other: Target): number {
  return medianRatio(
    other.results.map(({ cost }) => cost),
    one.results.map(({ cost }) => cost),
  );
}

/** What node:http does not add by itself. */
function sameHeaders(headers: Headers): Record<string, string> {
  const own = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);
  return Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
}
