import { pathToFileURL } from 'node:url';
import { generator, type LoadResult, load } from './load.ts';
import { hasNginx, serveByNginx } from './peers/nginx.ts';
import { type Aim, type Report, toCount, toRatio, toTable } from './report.ts';
import { measureAlone, readMemory, type Serving, serve } from './serving.ts';
import { median, medianRatio, spread } from './statistics.ts';

export interface BadgeBenchOptions {
  /** Alternating rounds; every figure is a median over them. */
  readonly rounds: number;
  /** Seconds of load a round and target. */
  readonly seconds: number;
}

interface Target {
  readonly name: string;
  readonly serving: Serving;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly results: LoadResult[];
}

const connections = 32;
const path = '/content/announcement.json';
const scriptPath = '/js/typebadge-inject.min.js';
const origin = { Origin: 'https://example.org' };

/** Requests per second and latency of the badge service beside its peers, all in one run. */
export async function benchBadgeServer({ rounds, seconds }: BadgeBenchOptions): Promise<Report> {
  const ours = await serve('./peers/typebadge.ts');
  const answer = await fetch(`${ours.url}${path}`, { headers: { ...origin, 'Accept-Encoding': 'identity' } });
  const body = Buffer.from(await answer.arrayBuffer());
  const bare = await serve('./peers/bare.ts', [
    JSON.stringify(sameHeaders(answer.headers)),
    body.toString('base64'),
  ]);
  const peers = [
    newTarget('bare node:http', bare, path, origin),
    newTarget(
      'Fastify, cors, rate-limit',
      await serve('./peers/fastify.ts', [body.toString('base64')]),
      path,
      origin,
    ),
    ...(hasNginx ? [newTarget('nginx, map, limit_req', await serveByNginx(body), path, origin)] : []),
  ];
  const announcement = newTarget('typebadge', ours, path, origin);
  const notModified = newTarget('typebadge, 304', ours, path, {
    ...origin,
    'If-None-Match': answer.headers.get('etag') ?? '',
  });
  const identity = newTarget('typebadge, script as it is', ours, scriptPath, origin);
  const brotli = newTarget('typebadge, script in brotli', ours, scriptPath, {
    ...origin,
    'Accept-Encoding': 'br',
  });
  const targets = [announcement, ...peers, notModified, identity, brotli];

  for (const target of targets) await measure(target, 1);
  for (const target of targets) target.results.length = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) await measure(target, seconds);
  }
  const servers = [{ name: 'typebadge', serving: ours }, ...peers];
  const memory = servers.map(({ name, serving }) => [name, (readMemory(serving.pid) / 2 ** 20).toFixed(0)]);
  await Promise.all(servers.map(({ serving }) => serving.stop()));
  const own = await measureAlone('./peers/pipeline-alone.ts');

  const speed = (target: Target) => median(target.results.map(({ perSecond }) => perSecond));
  const ratio = (target: Target, other: Target) =>
    medianRatio(
      target.results.map(({ perSecond }) => perSecond),
      other.results.map(({ perSecond }) => perSecond),
    );
  const ratios = [
    ...peers.map((peer): [string, number] => [
      `announcement: typebadge / ${peer.name}`,
      ratio(announcement, peer),
    ]),
    ['304 / 200', ratio(notModified, announcement)] as const,
    ['script: brotli / as it is', ratio(brotli, identity)] as const,
  ];
  const text = [
    `Load by ${generator}, ${connections} connections, ${rounds} alternating rounds of ${seconds} s, one core each.\n`,
    toTable(
      ['', 'requests/s', '± %', 'p50 ms', 'p99 ms', 'errors'],
      targets.map((target) => [
        target.name,
        toCount(speed(target)),
        spread(target.results.map(({ perSecond }) => perSecond)).toFixed(1),
        median(target.results.map(({ p50 }) => p50)).toFixed(2),
        median(target.results.map(({ p99 }) => p99)).toFixed(2),
        toCount(target.results.reduce((sum, { errors }) => sum + errors, 0)),
      ]),
    ),
    '',
    toTable(
      ['requests/s, as a ratio', ''],
      ratios.map(([name, value]) => [name, toRatio(value)]),
    ),
    '',
    toTable(['resident memory after all that load', 'MB'], memory),
    '',
    toTable(
      ['of a request to typebadge', 'µs'],
      [
        ['all, from one answer to the next', (1e6 / speed(announcement)).toFixed(1)],
        ['our own checks, router, limiter and headers, without node:http', own.toFixed(1)],
      ],
    ),
  ].join('\n');
  return { text, aims: ratios.map(([name, value]) => toAim(name, value)) };
}

const leastRatios: Readonly<Record<string, number>> = {
  'announcement: typebadge / bare node:http': 0.9,
  'announcement: typebadge / Fastify, cors, rate-limit': 1.25,
};

function toAim(what: string, value: number): Aim {
  return { what, value, unit: '×', atLeast: leastRatios[what] ?? 1 };
}

function newTarget(
  name: string,
  serving: Serving,
  targetPath: string,
  headers: Readonly<Record<string, string>>,
): Target {
  return { name, serving, path: targetPath, headers, results: [] };
}

async function measure(
  { serving, path: targetPath, headers, results }: Target,
  seconds: number,
): Promise<void> {
  results.push(await load({ url: `${serving.url}${targetPath}`, headers, seconds, connections }));
}

/** What node:http does not add by itself. */
function sameHeaders(headers: Headers): Record<string, string> {
  const own = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);
  return Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [rounds = '15', seconds = '1'] = process.argv.slice(2);
  console.log((await benchBadgeServer({ rounds: Number(rounds), seconds: Number(seconds) })).text);
}
