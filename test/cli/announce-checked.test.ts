import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRegisteredServers } from '../../src/cli/serving/running-servers.ts';
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

async function run(args: readonly string[], content: string) {
  return runHere(['announce', ...args, '--content', join(dir, content)], { cwd: dir, env });
}

async function runJson(args: readonly string[], content: string) {
  return JSON.parse((await run([...args, '--json'], content)).stdout);
}

async function serve(): Promise<RunningProcess> {
  const data = join(dir, 'data');
  const server = await startServeProcess(['--content', join(dir, 'served'), '--data', data]);
  servers.push(server);
  while ((await readRegisteredServers(data)).length < 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return server;
}

test('each change says where it was made, and that a running server shows it only if that server confirms it', async () => {
  const { url } = await serve();
  const served = `, in ./served, served at ${url}.`;
  for (const args of [
    ['publish', 'Second', '--id', 'b'],
    ['edit', 'b', '--message', 'Corrected'],
    ['expire', 'b'],
    ['withdraw', 'b'],
    ['undo'],
  ]) {
    const { stdout, stderr } = await run(args, 'served');
    expect([stdout.split('\n')[0], stderr]).toEqual([expect.stringContaining(served), '']);
  }
  expect((await runJson(['undo'], 'served')).servers).toEqual([
    { url, content: join(dir, 'served'), shows: true },
  ]);
  expect(await (await fetch(`${url}/content/history.json`)).text()).toContain('"Corrected"');
  const origins = (verb: string, content: string) =>
    runHere(['origins', verb, 'https://example.org', '--content', join(dir, content)], { cwd: dir, env });
  for (const verb of ['add', 'remove']) {
    expect((await origins(verb, 'served')).stdout).toContain(served);
    expect((await origins(verb, 'other')).stdout).toContain(
      ', in ./other; no running server of this data folder was found.',
    );
  }
  const other = await run(['publish', 'First'], 'other');
  expect(other.stdout).toContain(', in ./other; no running server of this data folder was found.');
  expect(other.stderr).toBe('');
});

test('a server of several processes is one server to an editor', async () => {
  const data = join(dir, 'data');
  const server = await startServeProcess([
    ...['--content', join(dir, 'served'), '--data', data, '--workers', '2', '--typing', 'off'],
  ]);
  servers.push(server);
  while ((await readRegisteredServers(data)).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await runJson(['publish', 'Second'], 'served')).servers).toHaveLength(1);
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

test('undo names the author of the change; somebody else’s needs --yes if nobody can be asked', async () => {
  const own = await run(['undo', '--dry-run'], 'served');
  expect(own.stdout).toContain('This would undo change 1 (ada published');
  const before = await readFile(join(dir, 'served', 'history.json'), 'utf8');
  const refused = await run(['undo', '--by', 'ben'], 'served');
  const stderr = 'Error: Change 1 was made by ada; to undo it, add --yes.\n';
  expect(refused).toMatchObject({ code: 1, stderr });
  expect(await readFile(join(dir, 'served', 'history.json'), 'utf8')).toBe(before);
  const done = await run(['undo', '--by', 'ben', '--yes'], 'served');
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('Undid change 1 (ada published')]);
});
