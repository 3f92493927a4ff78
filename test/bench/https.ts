import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readExampleSettings } from '../deploy/example-settings.ts';
import { publicName, sendTls } from '../deploy/https-client.ts';
import { canUse } from '../deploy/programs.ts';
import { type FrontServer, startCaddy, startNginx } from '../deploy/proxies.ts';
import { send } from '../support/http-client.ts';
import { freePort } from '../support/redis/redis-process.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { type Report, toTable } from './report.ts';
import { median, quantile } from './statistics.ts';

const path = '/content/announcement.json';

/** A way to the announcement, and what each request took on it, milliseconds. */
interface Way {
  readonly name: string;
  /** @param client the address that asks; each is a client of its own, so that no limit is met */
  readonly ask: (client: string) => Promise<{ status: number }>;
  readonly times: number[];
}

/** What the way through a web server that ends TLS adds, for readers who come for the first time: each with a connection of its own. */
export async function benchHttps(requests: number): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'typebadge-https-'));
  const server = await startServeProcess(['--data', join(folder, 'data')], {
    cwd: folder,
    env: await readExampleSettings(),
  });
  const fronts = await startFronts(server.port);
  try {
    const ways: Way[] = [
      {
        name: 'typebadge alone, no TLS',
        ask: (client) =>
          send(server.port, {
            path,
            headers: { Host: publicName, 'X-Forwarded-For': client, Connection: 'close' },
          }),
        times: [],
      },
      ...fronts.map(({ name, front }) => ({
        name,
        ask: (client: string) => sendTls(front.httpsPort, front.ca, { path, from: client }),
        times: [],
      })),
    ];
    for (let request = 0; request < requests + 20; request += 1) {
      for (const [at, { name, ask, times }] of ways.entries()) {
        const start = performance.now();
        const { status } = await ask(`127.${at + 1}.${request >> 8}.${request & 255}`);
        if (status !== 200) throw new Error(`${name}: ${status}`);
        if (request >= 20) times.push(performance.now() - start); // the first warm everything up
      }
    }
    return { text: toText(ways), aims: [] };
  } finally {
    for (const { front, folder: used } of fronts) {
      await front.stop();
      await rm(used, { recursive: true, force: true });
    }
    server.child.kill('SIGTERM');
    await server.finished;
    await rm(folder, { recursive: true, force: true });
  }
}

async function startFronts(
  upstream: number,
): Promise<{ name: string; front: FrontServer; folder: string }[]> {
  const known = [
    {
      name: 'through nginx, TLS',
      isHere: canUse('nginx', '-v') && canUse('openssl', 'version'),
      start: async (folder: string) =>
        startNginx('nginx.conf', { folder, httpsPort: await freePort(), httpPort: await freePort() }, [
          ['127.0.0.1:8787', `127.0.0.1:${upstream}`],
        ]),
    },
    {
      name: 'through Caddy, TLS',
      isHere: canUse('caddy', 'version'),
      start: async (folder: string) =>
        startCaddy({ folder, httpsPort: await freePort(), httpPort: await freePort() }, upstream),
    },
  ];
  const started: { name: string; front: FrontServer; folder: string }[] = [];
  for (const { name, isHere, start } of known) {
    if (!isHere) continue;
    const folder = await mkdtemp(join(tmpdir(), 'typebadge-front-'));
    started.push({ name, front: await start(folder), folder });
  }
  return started;
}

function toText(ways: readonly Way[]): string {
  const [alone] = ways as [Way, ...Way[]];
  return [
    'Each request has a connection and a TLS handshake of its own, as a first visit has, with the example files of deploy/.',
    toTable(
      ['', 'answers', 'p50 ms', 'p99 ms', 'added p50', 'added p99'],
      ways.map(({ name, times }) => [
        name,
        String(times.length),
        median(times).toFixed(1),
        quantile(times, 0.99).toFixed(1),
        (median(times) - median(alone.times)).toFixed(1),
        (quantile(times, 0.99) - quantile(alone.times, 0.99)).toFixed(1),
      ]),
    ),
  ].join('\n\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await benchHttps(Number(process.argv[2] ?? 200))).text);
}
