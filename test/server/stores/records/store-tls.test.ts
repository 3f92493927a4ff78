import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseStoreUrl } from '../../../../src/server/settings/store-url.ts';
import {
  openConnection,
  type StoreConnection,
} from '../../../../src/server/stores/records/store-connection.ts';
import { eventually, freePort, hasRedis } from '../../../support/redis/redis-process.ts';
import { startTlsSentinel } from '../../../support/redis/redis-sentinel.ts';
import {
  type Authority,
  createAuthority,
  startTlsRedis,
  type TlsRedis,
} from '../../../support/redis/redis-tls.ts';
import { runTypebadge, startServeProcess } from '../../../support/typebadge-process.ts';

// A real redis-server with TLS, and certificates of an authority that openssl makes.

describe.skipIf(!hasRedis)('a store with TLS', () => {
  let dir: string;
  let authority: Authority;
  let redis: TlsRedis;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-tls-'));
    await mkdir(join(dir, 'content'));
    authority = createAuthority(join(dir, 'authority'));
    const certificate = authority.issue('store', ['DNS:localhost', 'IP:127.0.0.1']);
    redis = await startTlsRedis(join(dir, 'redis'), authority, certificate);
  });
  afterAll(async () => {
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const open = async (url: string): Promise<StoreConnection> => {
    const store = await openConnection(parseStoreUrl(url));
    ends.unshift(() => store.close());
    return store;
  };
  const expectProblem = (store: StoreConnection, sentence: RegExp) =>
    eventually(() => sentence.test(store.problem()?.message ?? ''));

  const serveArgs = () => ['--content', join(dir, 'content'), '--data', join(dir, 'data')];
  /** Only a new process reads the variable with the authority. */
  const variables = (url: string) => ({ TYPEBADGE_STORE: url, NODE_EXTRA_CA_CERTS: authority.ca });
  const expectToWork = async (url: string) => {
    const doctor = await runTypebadge(['doctor', '--port', '0', ...serveArgs()], { env: variables(url) });
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining(' answers.')]);
  };

  test('an untrusted certificate is a sentence that names the variable to set', async () => {
    for (const address of [
      `rediss://127.0.0.1:${redis.tlsPort}`,
      `rediss+sentinel://127.0.0.1:${redis.tlsPort}/name`,
      `rediss+cluster://127.0.0.1:${await freePort()},127.0.0.1:${redis.tlsPort}`,
    ]) {
      const store = await open(address);
      await expectProblem(store, /certificate.*NODE_EXTRA_CA_CERTS/);
      await expect(store.run((client) => client.set('{x}', '1'))).rejects.toThrow();
    }
  });

  test('a connection that is closed in the middle of its handshake does not end the process', async () => {
    const errors: Error[] = [];
    const remember = (error: Error) => void errors.push(error);
    process.on('uncaughtException', remember);
    await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const store = await open(`rediss://127.0.0.1:${redis.tlsPort}`);
        await sleep(at);
        await store.close();
      }),
    );
    await sleep(300);
    process.off('uncaughtException', remember);
    expect(errors).toEqual([]);
  });

  test('an address with TLS for a store without, or the other way round, is a sentence that says what to write', async () => {
    for (const address of [`rediss://127.0.0.1:${redis.port}`, `redis://127.0.0.1:${redis.tlsPort}`])
      await expectProblem(await open(address), /rediss:\/\/ with TLS, redis:\/\/ without/);
  });

  test('a cluster whose certificates contain host names, not addresses, is used by those names', async () => {
    const busPort = String(await freePort());
    const named = await startTlsRedis(
      join(dir, 'cluster'),
      authority,
      authority.issue('node', ['DNS:localhost']),
      [
        ...['--cluster-enabled', 'yes', '--cluster-port', busPort, '--tls-cluster', 'yes'],
        ...['--cluster-announce-hostname', 'localhost', '--cluster-preferred-endpoint-type', 'hostname'],
      ],
    );
    ends.unshift(() => named.kill());
    await named.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await eventually(async () => String(await named.command('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    await expectToWork(`rediss+cluster://localhost:${named.tlsPort}`);
  });

  test('the primary named by a sentinel with TLS is used, over TLS', async () => {
    const files = authority.issue('sentinel', ['IP:127.0.0.1']);
    const sentinel = await startTlsSentinel(join(dir, 'sentinel'), redis.tlsPort, authority, files);
    ends.unshift(() => sentinel.kill());
    await expectToWork(sentinel.url);
  });

  test('is served from, and answers commands and doctor, by name and by address', async () => {
    const env = variables(`rediss://127.0.0.1:${redis.tlsPort}`);
    const server = await startServeProcess(serveArgs(), { env });
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    const listed = await runTypebadge(['announce', 'list', '--json'], { env });
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    for (const host of ['localhost', '127.0.0.1']) await expectToWork(`rediss://${host}:${redis.tlsPort}`);
    server.child.kill('SIGTERM');
    expect((await server.finished).code).toBe(0);
  });
});
