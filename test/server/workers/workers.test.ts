import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { packageFile } from '../../../src/kit/package-files.ts';

const children: ChildProcess[] = [];
const dirs: string[] = [];
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
  for (const dir of dirs.splice(0))
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Of a worker that does not end when it is asked to. */
const killedText = expect.stringMatching(/^worker \d has not ended within 10 s and is killed/);

interface Line {
  readonly level?: string;
  readonly message: string;
  readonly url?: string;
  readonly workers?: number;
  readonly worker?: number;
}

/** The real command; resolves once it says that it listens. */
async function serve(...options: string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'typebadge-workers-'));
  dirs.push(dir);
  const started = spawn(
    process.execPath,
    [packageFile('bin', 'typebadge.js'), 'serve', '--port', '0', '--log', 'json', '--data', dir, ...options],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TYPEBADGE_CONTENT: packageFile('content/sample') },
    },
  );
  children.push(started);
  const lines: Line[] = [];
  const listeners = new Set<() => void>();
  for (const stream of [started.stdout, started.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) lines.push(part.startsWith('{') ? JSON.parse(part) : { message: part });
      for (const listener of listeners) listener();
    });
  }
  const said = (pattern: RegExp) =>
    new Promise<Line>((resolve) => {
      const look = () => {
        const line = lines.find(({ message }) => pattern.test(message));
        if (line !== undefined) resolve(line);
      };
      listeners.add(look);
      look();
    });
  const exit = new Promise<number | null>((resolve) => started.once('exit', resolve));
  const { url = '' } = await Promise.race([said(/^listening/), exit.then((): Line => ({ message: '' }))]);
  return { url, pid: started.pid as number, said, exit, lines };
}

function workersOf(pid: number): readonly number[] {
  const text = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return text.trim().split('\n').map(Number);
}

/** A connection of its own for each request, as many readers have. Resolves to the status. */
function get(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    asked.once('error', reject).end();
  });
}

/** The same for a request of the typing API. Resolves to its answer; rejects if it is no success. */
function post(url: string, body: object): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, method: 'POST' }, async (response) => {
      const answer = JSON.parse((await response.toArray()).join(''));
      if ((response.statusCode ?? 0) < 300) resolve(answer);
      else reject(new Error(`${response.statusCode}: ${answer.error}`));
    });
    asked.once('error', reject).setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  });
}

test('workers share a port, and end with their parent', async () => {
  const server = await serve('--workers', '2', '--typing', 'off');
  const statuses = await Promise.all(Array.from({ length: 20 }, () => get(`${server.url}/health`)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  process.kill(server.pid, 'SIGTERM');
  expect(await server.exit).toBe(0);
  // Nothing else explains lines that are there twice.
  expect(server.lines.filter(({ workers }) => workers !== undefined)).toMatchObject([
    { message: 'workers are serving; each writes its own log lines', workers: 2 },
  ]);
  await expect(get(`${server.url}/health`)).rejects.toThrow('ECONNREFUSED');
});

test('each JSON line of a worker has its number; those of their parent have none', async () => {
  const server = await serve('--workers', '2', '--typing', 'off', '--verbose');
  const numberOf = async (pattern: RegExp) => (await server.said(pattern)).worker;
  expect(await numberOf(/^listening/)).toBeUndefined();
  await get(`${server.url}/health`);
  expect([1, 2]).toContain(await numberOf(/^GET \/health/));
  const folders = server.lines.filter(({ message }) => message.startsWith('content folder: '));
  expect(folders.map(({ worker }) => worker).sort()).toEqual([1, 2]);
});

test('rolling restarts replace every worker while no request fails, or waits in vain', async () => {
  const server = await serve('--workers', '2', '--typing', 'off');
  let isOver = false;
  const statuses: (number | string)[] = [];
  const readers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      statuses.push(await get(`${server.url}/health`).catch((error: Error) => error.message));
      await sleep(2);
    }
  });
  const rolls = () => server.lines.filter(({ message }) => message === 'all workers were replaced').length;
  for (const roll of [1, 2, 3, 4]) {
    process.kill(server.pid, 'SIGUSR2');
    await expect.poll(rolls, { timeout: 120_000 }).toBe(roll);
  }
  isOver = true;
  await Promise.all(readers);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statuses.length).toBeGreaterThan(10);
});

test('typists whose keys reach workers in turn lose none, and count none twice, also through a roll', async () => {
  const server = await serve('--workers', '2', '--session-ttl', '1h');
  let isOver = false;
  const typists = Array.from({ length: 3 }, async () => {
    const { session_id } = await post(`${server.url}/api/sessions`, {});
    const session = `${server.url}/api/sessions/${session_id}`;
    await post(`${session}/round`, {});
    let [seq, length] = [0, 0];
    do {
      seq += 1;
      if (Math.ceil(seq / 16) % 2 === 1) {
        const key = { char: 'x', seek_time_ms: 90, seq };
        expect(await post(`${session}/keystroke`, key)).toMatchObject({ char_index: length });
        length += 1;
      } else {
        length -= 1;
        expect(await post(`${session}/backspace`, { seq })).toMatchObject({
          success: true,
          new_length: length,
        });
      }
    } while (!isOver);
    return seq;
  });
  const ended = Promise.all(typists);
  process.kill(server.pid, 'SIGUSR2');
  await Promise.race([server.said(/all workers were replaced/), ended]);
  isOver = true;
  expect(Math.min(...(await ended))).toBeGreaterThan(20);
});

test('a roll during reloads and losses of workers ends with as many workers as before', async () => {
  const server = await serve('--workers', '2', '--typing', 'off');
  const before = workersOf(server.pid);
  process.kill(server.pid, 'SIGUSR2');
  await expect.poll(() => workersOf(server.pid).length, { timeout: 120_000 }).toBeGreaterThan(2);
  // The one that has just been started must not be killed by what the others only reload at.
  process.kill(server.pid, 'SIGHUP');
  process.kill(before[1] as number, 'SIGKILL');
  await server.said(/all workers were replaced/);
  await expect.poll(() => workersOf(server.pid).length, { timeout: 120_000 }).toBe(2);
  expect(workersOf(server.pid).filter((worker) => before.includes(worker))).toEqual([]);
  const ends = server.lines.filter(({ message }) => /exited/.test(message)).map(({ message }) => message);
  expect(ends).toEqual(['a worker exited (SIGKILL) and is being replaced']);
  expect(await get(`${server.url}/health`)).toBe(200);
});

test('a worker that is stopped holds up a rolling restart, and the end of the server, for a limited time', async () => {
  const [rolled, ended] = await Promise.all([1, 2].map(() => serve('--workers', '2', '--typing', 'off')));
  const before = workersOf(rolled?.pid as number);
  process.kill(before[0] as number, 'SIGSTOP');
  process.kill(rolled?.pid as number, 'SIGUSR2');
  process.kill(workersOf(ended?.pid as number)[0] as number, 'SIGSTOP');
  process.kill(ended?.pid as number, 'SIGTERM');
  await rolled?.said(/all workers were replaced/);
  await expect.poll(() => workersOf(rolled?.pid as number).length).toBe(2);
  expect(workersOf(rolled?.pid as number).filter((worker) => before.includes(worker))).toEqual([]);
  expect(await ended?.exit).toBe(0);
  for (const server of [rolled, ended]) {
    const warnings = server?.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toEqual([expect.objectContaining({ message: killedText })]);
  }
});
