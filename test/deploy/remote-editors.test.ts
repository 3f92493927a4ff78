import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../newcomer/newcomer-desk.ts';
import { type Answer, send } from '../support/http-client.ts';
import { type RunningProcess, runTypebadge, startServeProcess } from '../support/typebadge-process.ts';
import { readExampleSettings } from './example-settings.ts';
import { publicName, sendTls } from './https-client.ts';
import { canUse } from './programs.ts';
import { type FrontOptions, type FrontServer, startCaddy, startNginx } from './proxies.ts';
import { startHaproxy, startNginxForReplicas } from './replica-proxies.ts';

const hasOpenssl = canUse('openssl', 'version');
/** Where a file names three replicas, all three are the same server here. */
const thrice = (port: number) => [port, port, port];

const fronts = [
  {
    name: 'nginx.conf',
    isHere: hasOpenssl && canUse('nginx', '-v'),
    start: (options: FrontOptions, port: number) =>
      startNginx('nginx.conf', options, [['127.0.0.1:8787', `127.0.0.1:${port}`]]),
  },
  {
    name: 'nginx-replicas.conf',
    isHere: hasOpenssl && canUse('nginx', '-v'),
    start: (options: FrontOptions, port: number) => startNginxForReplicas(options, thrice(port)),
  },
  {
    name: 'haproxy.cfg',
    isHere: hasOpenssl && canUse('haproxy', '-v'),
    start: (options: FrontOptions, port: number) => startHaproxy(options, thrice(port)),
  },
  { name: 'Caddyfile', isHere: canUse('caddy', 'version'), start: startCaddy },
];

describe.each(fronts.filter(({ isHere }) => isHere))('an editor behind $name', ({ start }) => {
  let folder: string;
  let server: RunningProcess;
  let front: FrontServer;
  let token: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'typebadge-editors-'));
    const env = { ...(await readExampleSettings()), TYPEBADGE_DATA: join(folder, 'data') };
    server = await startServeProcess([], { cwd: folder, env });
    const { stdout } = await runTypebadge(['editors', 'add', 'anna', '--json'], { cwd: folder, env });
    token = JSON.parse(stdout).token;
    const frontFolder = await mkdtemp(join(folder, 'front-'));
    const ports = { httpsPort: await findFreePort(), httpPort: await findFreePort() };
    front = await start({ folder: frontFolder, ...ports }, server.port);
  });
  afterAll(async () => {
    await front?.stop();
    server?.child.kill('SIGTERM');
    await server?.finished;
    await rm(folder, { recursive: true, force: true });
  });

  const path = '/api/announcements';
  const toHeaders = (more: Record<string, string>) => ({
    ...{ Host: publicName, Authorization: `Bearer ${token}` },
    ...more,
  });
  const codeOf = ({ status, body }: Answer) => [status, JSON.parse(body.toString()).code];

  test.each([[{}], [{ 'X-Forwarded-Proto': 'http' }], [{ 'X-Forwarded-Proto': 'https, http' }]])(
    'reads the announcements over https, whatever the request claims: %j',
    async (forged) => {
      const answer = await sendTls(front.httpsPort, front.ca, { path, headers: toHeaders(forged) });
      expect(codeOf(answer)).toEqual([200, undefined]);
    },
  );

  test('gets nothing over http, even with a forged X-Forwarded-Proto', async () => {
    const headers = toHeaders({ 'X-Forwarded-Proto': 'https' });
    const answer = await send(front.httpPort, { path, headers });
    expect([answer.status, answer.headers.location]).toEqual([308, `https://${publicName}${path}`]);
  });

  test('is refused with a wrong token', async () => {
    const headers = toHeaders({ Authorization: `Bearer tbe_${'x'.repeat(43)}` });
    const answer = await sendTls(front.httpsPort, front.ca, { path, headers });
    expect(answer.status).toBe(401);
  });
});
