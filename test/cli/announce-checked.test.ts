import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRegisteredServers } from '../../src/cli/servers/running-servers.ts';
import { runHere } from '../support/typebadge-here.ts';
import { type RunningProcess, startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
let env: Record<string, string>;
const servers: RunningProcess[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-checked-'));
  for (const name of ['served', 'other', 'data']) await mkdir(join(dir, name));
  env = { TYPEBADGE_DATA: join(dir, 'data'), TYPEBADGE_EDITOR: 'ada', TZ: 'UTC' };
  await run(['publish', 'First'], 'served');
});
afterEach(async () => {
  for (const { child, finished } of servers.splice(0)) {
    child.kill('SIGTERM');
    await finished;
  }
  await rm(dir, { recursive: true, force: true });
});

async function run(args: readonly string[], content: string, more: Record<string, string> = {}) {
  return runHere(['announce', ...args, '--content', join(dir, content)], {
    cwd: dir,
    env: { ...env, ...more },
  });
}

async function runJson(args: readonly string[], content: string, more: Record<string, string> = {}) {
  return JSON.parse((await run([...args, '--json'], content, more)).stdout);
}

async function serve(data = join(dir, 'data')): Promise<RunningProcess> {
  const server = await startServeProcess(['--content', join(dir, 'served'), '--data', data]);
  servers.push(server);
  while ((await readRegisteredServers(data)).length < 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return server;
}

test('without a running server nothing is claimed about one, and the changed folder is named', async () => {
  const { stdout, stderr } = await run(['publish', 'Second'], 'served');
  expect(stdout).toContain(`Content      ${join(dir, 'served')}`);
  expect(stdout).toContain('The current announcement is now');
  expect(stdout).not.toMatch(/shows|The server/);
  expect(stderr).toBe('');
});

test('each change says that a running server shows it only if that server confirms it', async () => {
  const { url } = await serve();
  const shows = `The server at ${url} shows this.`;
  const has = `The server at ${url} has this change`;
  const planned = await run(['publish', 'Later', '--at', '2030-01-02'], 'served');
  expect(planned.stdout).toContain(`${has}; nobody sees it before 2030-01-02`);
  expect((await run(['publish', 'Second', '--id', 'b'], 'served')).stdout).toContain(shows);
  expect((await run(['edit', 'b', '--message', 'Corrected'], 'served')).stdout).toContain(shows);
  expect((await run(['expire', 'b'], 'served')).stdout).toContain(has);
  expect((await run(['withdraw', 'b'], 'served')).stdout).toContain(has);
  expect((await run(['undo'], 'served')).stdout).toContain(has);
  expect((await runJson(['undo'], 'served')).servers).toEqual([
    { url, content: join(dir, 'served'), shows: true },
  ]);
  expect(await (await fetch(`${url}/content/history.json`)).text()).toContain('"Corrected"');
});

test('each change of a folder that is not the served one warns of that', async () => {
  const { url } = await serve();
  const warning = `The server at ${url} does not show this change: it serves ${join(dir, 'served')}.`;
  for (const args of [
    ['publish', 'First', '--id', 'a'],
    ['edit', 'a', '--message', 'x'],
    ['expire', 'a'],
    ['withdraw', 'a'],
    ['undo'],
  ]) {
    const { code, stdout, stderr } = await run(args, 'other');
    expect([code, stderr.replaceAll('\n', ' ')]).toEqual([0, expect.stringContaining(warning)]);
    expect(stdout).not.toContain('shows this');
  }
});

test('a server of several processes is one server to an editor', async () => {
  const data = join(dir, 'data');
  const server = await startServeProcess([
    ...['--content', join(dir, 'served'), '--data', data, '--workers', '2', '--typing', 'off'],
  ]);
  servers.push(server);
  while ((await readRegisteredServers(data)).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const own = await run(['publish', 'Second'], 'served');
  expect(own.stdout.split(`The server at ${server.url}`)).toHaveLength(2);
  const other = await runJson(['publish', 'First'], 'other');
  expect(other.warnings).toEqual([expect.stringContaining('does not show this change')]);
});

test('origins says which folder was changed, and whether running servers use it', async () => {
  const { url } = await serve();
  const origins = (verb: string, content: string) =>
    runHere(['origins', verb, 'https://example.org', '--content', join(dir, content)], {
      cwd: dir,
      env,
    });
  for (const verb of ['add', 'remove']) {
    const own = await origins(verb, 'served');
    expect(own.stdout).toContain(`Content folder: ${join(dir, 'served')}`);
    expect(own.stdout).toContain(`The server at ${url} has this change.`);
    const other = await origins(verb, 'other');
    expect(other.stdout).not.toContain('The server at');
    expect(other.stderr.replaceAll('\n', ' ')).toContain(`it serves ${join(dir, 'served')}`);
  }
});

test('a server of another user, without a mark, is found by its port and its answers', async () => {
  const data = join(dir, 'elsewhere');
  const { url, port } = await serve(data);
  const asked = { TYPEBADGE_PORT: String(port) };
  expect((await runJson(['publish', 'Second'], 'served', asked)).servers).toEqual([
    { url, content: null, shows: true },
  ]);
  const { warnings } = await runJson(['publish', 'First'], 'other', asked);
  expect(warnings).toEqual([expect.stringContaining('it seems to serve another content folder')]);
});

test('the mark of a killed server is removed, and an unreadable one is ignored', async () => {
  const { child, finished } = await serve();
  child.kill('SIGKILL');
  await finished;
  const marks = join(dir, 'data', 'servers');
  expect(await readdir(marks)).toHaveLength(1);
  await writeFile(join(marks, '7.json'), '{"url":"http://127.0.0.1:1\\u001b[2J","content":7}');
  expect(await runJson(['publish', 'Second'], 'served')).toMatchObject({ servers: [], warnings: [] });
  expect(await readdir(marks)).toEqual(['7.json']);
});

test('a server removes its mark when it ends', async () => {
  const { child, finished } = await serve();
  child.kill('SIGTERM');
  await finished;
  expect(await readdir(join(dir, 'data', 'servers'))).toEqual([]);
});

test('undo names the author of the change; somebody else’s needs --yes if nobody can be asked', async () => {
  const own = await run(['undo', '--dry-run'], 'served');
  expect(own.stdout).toContain('This would undo change 1 (ada published');
  const before = await readFile(join(dir, 'served', 'history.json'), 'utf8');
  const refused = await run(['undo', '--by', 'ben'], 'served');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'Error: Change 1 was made by ada; to undo it, add --yes.\n',
  ]);
  expect(await readFile(join(dir, 'served', 'history.json'), 'utf8')).toBe(before);
  const done = await run(['undo', '--by', 'ben', '--yes'], 'served');
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('Undid change 1 (ada published')]);
});
