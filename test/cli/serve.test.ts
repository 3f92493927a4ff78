import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { runTypebadge, startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
let folders: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-serve-'));
  await mkdir(join(dir, 'content'));
  await writeFile(join(dir, 'content', 'history.json'), JSON.stringify({ announcements: [lasting] }));
  folders = ['--content', join(dir, 'content'), '--data', join(dir, 'data')];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

test('the start message has the addresses to open and the tag to paste', async () => {
  const options = ['--log', 'pretty', '--brand', 'acme'];
  const { child, finished, url } = await startServeProcess([...folders, ...options]);
  child.kill('SIGTERM');
  const { code, stdout } = await finished;
  expect(code).toBe(0);
  for (const text of [`${url}/demo`, `${url}/history`, `${url}/api/openapi.json`])
    expect(stdout).toContain(text);
  expect(stdout).toContain(`<script src="${url}/js/acme-inject.min.js" async></script>`);
});

test.each([['-port', '0'], ['-port=0'], ['-p0'], ['-brand=acme']])(
  'the option is understood as %s %s',
  async (...args) => {
    const { child, finished, port } = await startServeProcess([...folders, ...args]);
    expect((await send(port, { path: '/health' })).status).toBe(200);
    child.kill();
    await finished;
  },
);

test('an environment variable is used, and the flag takes precedence', async () => {
  const env = {
    TYPEBADGE_BRAND: 'from-env',
    TYPEBADGE_ALLOW_ORIGIN: 'https://a.example, https://b.example',
    TYPEBADGE_VERBOSE: '1',
  };
  const byEnv = await startServeProcess(folders, { env });
  expect((await send(byEnv.port, { path: '/js/from-env-inject.min.js' })).status).toBe(200);
  for (const origin of ['https://a.example', 'https://b.example']) {
    const { headers } = await send(byEnv.port, { path: '/content/announcement.json', headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe(origin);
  }
  byEnv.child.kill();
  expect((await byEnv.finished).stdout).toMatch(/GET \/js\/from-env-inject\.min\.js/);

  const byFlag = await startServeProcess([...folders, '--brand', 'from-flag'], { env });
  expect((await send(byFlag.port, { path: '/js/from-flag-inject.min.js' })).status).toBe(200);
  byFlag.child.kill();
  await byFlag.finished;
});

test.runIf(hasIPv6)('an IPv6 address may be in brackets, as in a URL', async () => {
  const server = await startServeProcess([...folders, '--host', '[::1]']);
  expect(server.url).toBe(`http://[::1]:${server.port}`);
  expect((await send(server.port, { path: '/health' }, '::1')).status).toBe(200);
  server.child.kill();
  await server.finished;
});

test('the number of allowed origins and hosts grows with each flag', async () => {
  const flags = [
    ...['--allow-origin', 'https://a.example', '--allow-origin', 'https://b.example'],
    ...['--allow-host', 'x.example', '--allow-host', 'y.example'],
  ];
  const { child, finished, port } = await startServeProcess([...folders, ...flags]);
  for (const name of ['a', 'b']) {
    const headers = { origin: `https://${name}.example`, host: name === 'a' ? 'x.example' : 'y.example' };
    const answer = await send(port, { path: '/content/announcement.json', headers });
    expect(answer.headers['access-control-allow-origin']).toBe(headers.origin);
  }
  child.kill();
  await finished;
});

test('a port in use is one clear line and exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const { code, stderr } = await runTypebadge(['serve', '--port', String(port), ...folders]);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `Error: Port ${port} on 127.0.0.1 is in use: stop the other program, or choose another with --port (0 takes a free one).\n`,
  );
  other.close();
});

test('content that cannot be served is one clear line and exit code 1', async () => {
  await writeFile(join(dir, 'content', 'history.json'), '{\n"announcements": [\n{,}]}');
  const { code, stdout, stderr } = await runTypebadge(['serve', '--port', '0', ...folders]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Error: .*history\.json:3.*\n$/);
});

test('a data folder on a network disk causes a warning', async () => {
  // Few machines can mount one, so this process is told that every disk is NFS.
  const onNfs = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { statfsSync } = fs;
    fs.statfsSync = (path) => ({ ...statfsSync(path), type: 0x6969 });
    syncBuiltinESMExports();`;
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(onNfs)}` };
  const { child, finished, said } = await startServeProcess(folders, { env });
  await said(/is on a network disk \(NFS\)/);
  child.kill();
  await finished;
});

test('a misspelt variable that would keep players apart is named once, and none of other programs', async () => {
  const foreign = { TYPEBADGE_OF_ANOTHER_PROGRAM: '1', TYPESCRIPT: '1', TYPE: 'x' };
  const env = { ...foreign, TYPEBADGE_TRUST_PROXI: '127.0.0.1' };
  const server = await startServeProcess([...folders, '--workers', '2', '--typing', 'off'], { env });
  server.child.kill('SIGTERM');
  const { stderr } = await server.finished;
  expect(stderr.match(/^Warning: .*$/gm)).toEqual([
    'Warning: TYPEBADGE_TRUST_PROXI is not a variable that typebadge reads. Did you mean TYPEBADGE_TRUST_PROXY?',
  ]);
});
