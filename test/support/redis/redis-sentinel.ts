import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askRedis, eventually, freePort, type RedisProcess, startRedis } from './redis-process.ts';
import type { Authority, Certificate } from './redis-tls.ts';

const name = 'typebadge-test';

export interface SentinelGroup {
  readonly url: string;
  /** The first is the primary at the start, the others are its replicas. */
  readonly servers: readonly RedisProcess[];
  /** The server that the sentinels call the primary now. */
  primary(): Promise<RedisProcess>;
  kill(): Promise<void>;
}

/** One primary, two replicas, three sentinels. Resolves when a failover could happen. */
export async function startSentinels(dir: string, options: readonly string[] = []): Promise<SentinelGroup> {
  const settings = [...options, '--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];
  const first = await startRedis(join(dir, 'server-0'), settings);
  const replicaOf = ['--replicaof', '127.0.0.1', String(first.port)];
  const others = await Promise.all(
    [1, 2].map((at) => startRedis(join(dir, `server-${at}`), [...settings, ...replicaOf])),
  );
  const servers = [first, ...others];
  await eventually(async () => {
    const infos = await Promise.all(others.map((server) => server.command('INFO', 'replication')));
    return infos.every((info) => String(info).includes('master_link_status:up'));
  });
  const sentinels = await Promise.all(
    [0, 1, 2].map((at) => startSentinel(join(dir, `sentinel-${at}`), first.port)),
  );
  await eventually(async () => {
    const seen = await Promise.all(sentinels.map(({ port }) => askRedis(port, 'SENTINEL', 'CKQUORUM', name)));
    return seen.every((answer) => String(answer).startsWith('OK 3'));
  });
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${name}`,
    servers,
    async primary() {
      const [, port] = (await askRedis(
        sentinels[0]?.port as number,
        'SENTINEL',
        'GET-MASTER-ADDR-BY-NAME',
        name,
      )) as string[];
      return servers.find((server) => server.port === Number(port)) as RedisProcess;
    },
    async kill() {
      for (const { child } of sentinels) child.kill('SIGKILL');
      await Promise.all(servers.map((server) => server.kill()));
    },
  };
}

/** A sentinel on its own that speaks nothing but TLS, with clients and with the primary. */
export async function startTlsSentinel(
  dir: string,
  primaryPort: number,
  { ca }: Authority,
  { cert, key }: Certificate,
): Promise<{ readonly url: string; kill(): Promise<void> }> {
  const tlsPort = await freePort();
  const { child } = await startSentinel(dir, primaryPort, [
    ...[`tls-port ${tlsPort}`, 'tls-replication yes', 'tls-auth-clients no'],
    ...[`tls-cert-file ${cert}`, `tls-key-file ${key}`, `tls-ca-cert-file ${ca}`],
  ]);
  return {
    url: `rediss+sentinel://127.0.0.1:${tlsPort}/${name}`,
    kill: async () => void child.kill('SIGKILL'),
  };
}

async function startSentinel(
  dir: string,
  primaryPort: number,
  settings: readonly string[] = [],
): Promise<{ port: number; child: ChildProcess }> {
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  const file = join(dir, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `port ${port}`,
      ...settings,
      'bind 127.0.0.1',
      `dir ${dir}`,
      `sentinel monitor ${name} 127.0.0.1 ${primaryPort} 2`,
      // Less, and a store that only waits for a processor is replaced, with what it has acknowledged.
      `sentinel down-after-milliseconds ${name} 3000`,
      `sentinel failover-timeout ${name} 4000`,
      `sentinel parallel-syncs ${name} 2`,
      '',
    ].join('\n'),
  );
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  await eventually(async () => (await askRedis(port, 'PING')) === 'PONG');
  return { port, child };
}
