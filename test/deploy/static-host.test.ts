import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { send } from '../support/http-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { runTypebadge } from '../support/typebadge-process.ts';
import { canUse } from './programs.ts';
import { type FrontServer, startNginx } from './proxies.ts';

const canUseNginx = canUse('nginx', '-v') && canUse('openssl', 'version') && canUse('awk', '1');

describe.runIf(canUseNginx)('an export behind nginx as a static host', () => {
  let folder: string;
  let server: TestServer;
  let front: FrontServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'typebadge-static-'));
    server = await startTestServer({ publicUrl: 'https://badge.example.org' });
    const root = join(folder, 'public');
    const headersFile = join(folder, 'headers.conf');
    const args = [
      '--content',
      server.contentDir,
      '--public-url',
      'https://badge.example.org',
      '--any-origin',
    ];
    const { code, stderr } = await runTypebadge(['announce', 'export', root, ...args], { cwd: folder });
    if (code !== 0) throw new Error(stderr);
    const rules = ['-f', packageFile('deploy', 'nginx-headers.awk'), join(root, '_headers')];
    await writeFile(headersFile, (await promisify(execFile)('awk', rules)).stdout);
    front = await startNginx(folder, 'nginx-static.conf', [
      ['/var/www/typebadge', root],
      ['/etc/nginx/typebadge-headers.conf', headersFile],
    ]);
  });
  afterAll(async () => {
    await front?.stop();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (path: string, headers: Record<string, string> = {}) => front.ask({ path, headers });

  const paths = [
    ...['/js/typebadge-inject.min.js', '/css/typebadge-inject.min.css', '/images/typebadge-logo.svg'],
    ...['/content/announcement.json', '/content/history.json', '/feed.atom', '/feed.json'],
    ...['/demo', '/history', '/health'],
  ];

  test.each(paths)('%s is answered as the server would answer it', async (path) => {
    const own =
      /^(?:connection|keep-alive|date|server|etag|last-modified|accept-ranges|ratelimit.*|transfer-encoding)$/;
    const ruled = ({ headers }: { headers: object }) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !own.test(name)));
    const [exported, served] = [await ask(path), await send(server.port, { path })];
    expect(exported.status).toBe(200);
    expect(exported.body.toString()).toBe(served.body.toString());
    const openToAll = path.startsWith('/demo') || path.startsWith('/hi') || path === '/health';
    expect(ruled(exported)).toEqual({
      ...ruled(served),
      ...(openToAll ? {} : { 'access-control-allow-origin': '*' }),
    });
  });

  test('files compressed at export are sent compressed, and confirmed with a 304', async () => {
    const path = '/js/typebadge-inject.min.js';
    const packed = await ask(path, { 'Accept-Encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.body).toEqual(await readFile(join(folder, 'public', `${path}.gz`)));
    const again = await ask(path, {
      'Accept-Encoding': 'gzip',
      'If-None-Match': String(packed.headers.etag),
    });
    expect(again.status).toBe(304);
  });

  test.each(['/_headers', '/nothing', '/demo.html', '/js/', '/js/typebadge-inject.min.js.gz'])(
    '%s does not exist',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );
});
