import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { comparisonTable, type LoadResult, measureInTurn, speedRatio, type Target } from './comparison.ts';
import { hasNginx, serveByNginx } from './peers/nginx.ts';
import { atLeast, atMost, countText, type Report, toTable } from './report.ts';
import {
  onCore,
  readMemory,
  readProcessorTime,
  runOnCore,
  type Serving,
  servePeer,
  serveTypebadge,
} from './serving.ts';

const script = '/js/typebadge-inject.min.js';
const origin = { Origin: 'https://example.org' };
/** As many as an IPv4 /16 holds, and six times as many as the limiter remembers. */
const world = 65_536;
const crowds = [1, 10_000, 1_000_000];
/** The check is on, and out of the way: a load is what it is there to stop. */
const noLimit = '999999:999999';

/** The badge service beside its peers, all in one run, with the clients that a server on the network has. */
export async function benchBadgeServer(rounds: number, seconds = 1): Promise<Report> {
  if (spawnSync('wrk', ['-v']).error !== undefined)
    return { text: 'Left out: wrk is not installed.', aims: [] };
  const ours = await serveOurs(noLimit);
  const answer = await fetch(`${ours.url}/content/announcement.json`, {
    headers: { ...origin, 'Accept-Encoding': 'identity' },
  });
  const body = Buffer.from(await answer.arrayBuffer());
  const encoded = body.toString('base64');
  const bare = await servePeer('peers/bare.ts', [JSON.stringify(sameHeaders(answer.headers)), encoded]);
  const fastify = await servePeer('peers/fastify.ts', [encoded]);
  const strict = await serveOurs('1:1');
  const strictFastify = await servePeer('peers/fastify.ts', [encoded, '1']);

  const crowd = { clients: world };
  const many = { connections: 1_000 };
  const tagged = { headers: { ...origin, 'If-None-Match': answer.headers.get('etag') ?? '' } };
  const brotli = { path: script, headers: { ...origin, 'Accept-Encoding': 'br' } };
  /** `least` is what the first of the targets must reach against the others, in their order. */
  const comparisons = [
    {
      title: `announcement, ${countText(world)} clients behind a proxy, Origin allowed`,
      least: [0.8, 1.25, 0.7],
      targets: [
        newTarget('typebadge', ours, crowd),
        newTarget('bare node:http', bare, crowd),
        newTarget('Fastify, cors, rate-limit', fastify, crowd),
        ...(hasNginx ? [newTarget('nginx, real_ip, map, limit_req', await serveByNginx(body), crowd)] : []),
      ],
    },
    {
      title: 'announcement, 1,000 connections without a proxy',
      least: [0.85],
      targets: [newTarget('typebadge', ours, many), newTarget('bare node:http', bare, many)],
    },
    {
      title: 'refused for too many requests, one client',
      least: [1.2, 1],
      targets: [
        newTarget('typebadge, 429', strict),
        newTarget('typebadge, 200', ours),
        newTarget('Fastify, 429', strictFastify),
      ],
    },
    {
      title: 'revalidated, and compressed',
      least: [],
      targets: [
        newTarget('typebadge, 304', ours, tagged),
        newTarget('typebadge, 200', ours),
        newTarget('typebadge, script in brotli', ours, brotli),
        newTarget('typebadge, script as it is', ours, { path: script }),
      ],
    },
  ];
  await measureInTurn(
    comparisons.flatMap(({ targets }) => targets),
    rounds,
    seconds,
  );
  const memory = [readMemory(ours.pid), readMemory(bare.pid)] as const;
  for (const serving of [ours, bare, fastify, strict, strictFastify]) serving.stop();
  const limiter: number[] = [];
  for (const count of crowds) limiter.push(await runOnCore(0, 'peers/limiter-alone.ts', [String(count)]));
  const text = [
    `Load by wrk, ${rounds} alternating rounds of ${seconds} s, one core for the servers.`,
    ...comparisons.map(({ title, targets }) => comparisonTable(title, targets)),
    toTable(
      ['all of a request but node:http', 'µs of processor time'],
      [[`${countText(world)} clients`, (await runOnCore<number>(0, 'peers/pipeline-alone.ts')).toFixed(2)]],
    ),
  ].join('\n\n');
  const ratios = comparisons.flatMap(({ title, least, targets: [own, ...peers] }) =>
    peers
      .slice(0, least.length)
      .map((peer, at) =>
        atLeast(`${title}: against ${peer.name}`, speedRatio(own as Target, peer), least[at] ?? 0, '×'),
      ),
  );
  const aims = [
    ...ratios,
    atMost('resident memory after all that load, against bare node:http', memory[0] / memory[1], 1.15, '×'),
    ...limiter.map((time, at) =>
      atMost(`limiter alone, ${countText(crowds[at] ?? 0)} clients`, time, 0.5, 'µs'),
    ),
  ];
  return { text, aims };
}

async function serveOurs(limit: string): Promise<Serving> {
  // The load comes from this machine and plays the proxy of many clients.
  return serveTypebadge(await mkdtemp(join(tmpdir(), 'data-')), [
    ...['--trust-proxy', '127.0.0.1', '--allow-origin', 'https://example.org', '--badge-limit', limit],
  ]);
}

/** What node:http does not add by itself. */
function sameHeaders(headers: Headers): Record<string, string> {
  const own = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);
  return Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
}

function newTarget(
  name: string,
  { url, pid }: Serving,
  {
    path = '/content/announcement.json',
    headers = origin as Readonly<Record<string, string>>,
    connections = 32,
    /** As many clients behind one proxy, told apart by `X-Forwarded-For`; 0: none is named. */
    clients = 0,
  } = {},
): Target {
  const load = async (seconds: number): Promise<LoadResult> => {
    const forwarded = fileURLToPath(new URL('forwarded.lua', import.meta.url));
    const [command = '', ...args] = [
      ...[...onCore(1), 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency'],
      ...Object.entries(headers).flatMap(([header, value]) => ['-H', `${header}: ${value}`]),
      ...(clients > 0 ? ['-s', forwarded, url + path, '--', String(clients)] : [url + path]),
    ];
    const before = readProcessorTime(pid);
    const { stdout } = await promisify(execFile)(command, args);
    return wrkResult(stdout, readProcessorTime(pid) - before);
  };
  return { name, load, results: [] };
}

function wrkResult(stdout: string, processorTime: number): LoadResult {
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const latency = (share: string) => {
    const [, amount, unit] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout) ?? [];
    return Number(amount) * ({ us: 0.001, ms: 1, s: 1000 }[unit as 'ms'] ?? Number.NaN);
  };
  const broken = [...(/Socket errors:(.*)/.exec(stdout)?.[1] ?? '').matchAll(/\d+/g)].map(Number);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: latency('50'),
    p99: latency('99'),
    errors: broken.reduce((sum, count) => sum + count, number(/Non-2xx or 3xx responses: (\d+)/)),
    cost: processorTime / number(/(\d+) requests in/),
  };
}
