import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { readPulse } from '../../src/server/stores/pulse.ts';
import { createFileRecords, recordsFolder } from '../../src/server/stores/records/file-records.ts';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { runHere } from '../support/typebadge-here.ts';
import { startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
let folders: string[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-signals-'));
  await mkdir(join(dir, 'content'));
  await writeFile(join(dir, 'content', 'history.json'), JSON.stringify({ announcements: [lasting] }));
  folders = ['--content', join(dir, 'content'), '--data', join(dir, 'data')];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const click = (port: number) => send(port, { path: `/pulse?event=click&id=${lasting.id}` });
const savedClicks = async () =>
  (await readPulse(createFileRecords({ dir: recordsFolder(join(dir, 'data')) }), '2000-01-01')).reduce(
    (sum, { count }) => sum + count,
    0,
  );

test.each(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGALRM', 'SIGPROF'] as const)(
  '%s ends the server with exit code 0, and no count is lost',
  async (signal) => {
    const { child, finished, port } = await startServeProcess(folders);
    for (let count = 0; count < 3; count += 1) await click(port);
    // Twice, as npm and shells send it: that loses nothing either.
    child.kill(signal);
    child.kill(signal);
    expect(await finished).toMatchObject({ code: 0, signal: null });
    expect(await savedClicks()).toBe(3);
  },
);

test.each([[[]], [['--workers', '2', '--typing', 'off']]])(
  'with %j, one line says that the server stops, by which signal, and what it waits for',
  async (more) => {
    const { child, finished } = await startServeProcess([...folders, ...more]);
    child.kill('SIGTERM');
    const { stdout } = await finished;
    expect(stdout.match(/^.*SIGTERM: .*requests.*saved.*$/gm)).toHaveLength(1);
  },
);

test('SIGUSR1 opens no debugger, and neither it nor SIGUSR2 ends anything', async () => {
  const { child, finished, port } = await startServeProcess(folders);
  child.kill('SIGUSR1');
  child.kill('SIGUSR2');
  await click(port);
  await setTimeout(300); // Node's debugger would listen by now, and say so
  await click(port);
  child.kill('SIGTERM');
  expect(await finished).toMatchObject({ code: 0, stderr: '' });
  expect(await savedClicks()).toBe(2);
});

test("Node's profiler still works for a server that is started with it", async () => {
  const profiles = join(dir, 'profiles');
  const withProfiler = 'node=$1; shift; exec "$node" --cpu-prof "--cpu-prof-dir=$PROFILES" "$@"';
  const { child, finished, port } = await startServeProcess(folders, {
    under: ['sh', '-c', withProfiler, 'sh'],
    env: { PROFILES: profiles },
  });
  for (let count = 0; count < 50; count += 1) await click(port);
  child.kill('SIGTERM');
  expect((await finished).code).toBe(0);
  const [name = ''] = await readdir(profiles);
  const { nodes } = JSON.parse(await readFile(join(profiles, name), 'utf8'));
  // Functions of the server itself, which run only after the listeners for signals are in place.
  const urls = nodes.map(({ callFrame }: { callFrame: { url: string } }) => callFrame.url);
  expect(urls.filter((url: string) => url.includes('/dist/')).length).toBeGreaterThan(20);
});

test('SIGHUP makes a service reload its content and continue, with its counters', async () => {
  const { child, finished, port } = await startServeProcess(folders);
  let log = '';
  child.stdout?.on('data', (text: string) => {
    log += text;
  });
  await click(port);
  child.kill('SIGHUP');
  while (!(log.includes('history.json') && log.includes('origins.json'))) await setTimeout(20);
  expect(log).toMatch(/"message":"content read again","file":"[^"]*origins\.json"/);
  expect((await send(port, { path: '/health' })).status).toBe(200);
  await click(port);
  child.kill('SIGTERM');
  expect((await finished).code).toBe(0);
  expect(await savedClicks()).toBe(2);
});

const canUseScript = spawnSync('script', ['--version']).status === 0;
describe.runIf(canUseScript)('on a terminal', () => {
  test('SIGHUP, sent when the terminal closes, ends the server, and no count is lost', async () => {
    const command = [process.execPath, packageFile('bin', 'typebadge.js'), 'serve', '-p', '0', ...folders];
    // It stays when the terminal's program ends: only the signal tells it.
    const terminal = spawn('script', ['-qefc', `exec ${command.join(' ')}`, '/dev/null'], {
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    const port = async () => {
      for (;;) {
        const found = /http:\/\/127\.0\.0\.1:(\d+)\/demo/.exec(text)?.[1];
        if (found !== undefined) return Number(found);
        await once(terminal.stdout, 'data');
      }
    };
    await click(await port());
    const pid = Number(execFileSync('pgrep', ['-P', String(terminal.pid)], { encoding: 'utf8' }));
    process.kill(pid, 'SIGHUP');
    const [code] = await once(terminal, 'close');
    expect(code).toBe(0);
    expect(await savedClicks()).toBe(1);
  });
});

test('a server continues when nobody reads its log any more', async () => {
  const { child, finished, port } = await startServeProcess([...folders, '--verbose']);
  child.stdout?.destroy();
  child.stderr?.destroy();
  for (let count = 0; count < 50; count += 1) expect((await click(port)).status).toBe(204);
  child.kill('SIGTERM');
  expect((await finished).code).toBe(0);
  expect(await savedClicks()).toBe(50);
});

test('an empty content folder is filled like the default one, and editors who were added before stay', async () => {
  const empty = join(dir, 'volume');
  await mkdir(join(empty, 'lost+found'), { recursive: true });
  const first = await startServeProcess(['--content', empty, '--data', join(dir, 'data')]);
  expect((await send(first.port, { path: '/content/announcement.json' })).status).toBe(200);
  first.child.kill();
  await first.finished;
  expect((await readdir(empty)).sort()).toEqual(['history.json', 'lost+found', 'origins.json']);

  const withEditor = join(dir, 'with-editor');
  await mkdir(withEditor);
  expect((await runHere(['editors', 'add', 'anna', '--content', withEditor])).code).toBe(0);
  const editors = await readFile(join(withEditor, 'editors.json'), 'utf8');
  const second = await startServeProcess(['--content', withEditor, '--data', join(dir, 'data')]);
  expect((await send(second.port, { path: '/content/announcement.json' })).status).toBe(200);
  second.child.kill();
  await second.finished;
  expect(await readFile(join(withEditor, 'editors.json'), 'utf8')).toBe(editors);
});
