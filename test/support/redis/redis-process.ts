import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

const isRequired = process.env.TYPEBADGE_REQUIRE_STORE === '1';

/** Mutants need no Redis, whose code is not mutated, and on a busy machine it does not answer in time. */
const isMutated = process.env.TYPEBADGE_MUTANT_TESTS !== undefined;
/** Whether a real Redis can be started here. Such tests are left out loudly, or fail where they are required. */
export const hasRedis = !isMutated && spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis && !isMutated) {
  const reason = 'redis-server is not installed: the tests with a store';
  if (isRequired) throw new Error(`${reason} are required by TYPEBADGE_REQUIRE_STORE=1.`);
  console.warn(`${reason} are left out.`);
}

/** A real redis-server of our own: on a free port of the loopback, with its files in `dir`. */
export interface RedisProcess {
  readonly port: number;
  readonly url: string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and files. Resolves when it answers. */
  start(): Promise<void>;
  /** Lets it hang, and go on. */
  freeze(): void;
  thaw(): void;
  /** A command to this server, outside any client of ours. */
  command(...words: string[]): Promise<unknown>;
}

/** A command to a server or a sentinel, on a connection of its own. */
export async function askRedis(port: number, ...words: string[]): Promise<unknown> {
  const client = new Redis({
    ...{ port, lazyConnect: true, enableReadyCheck: false, maxRetriesPerRequest: 0 },
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [name, ...rest] = words as [string, ...string[]];
    return await client.call(name, ...rest);
  } finally {
    client.disconnect();
  }
}

/** @param options further settings, such as `['--appendonly', 'yes']` */
export async function startRedis(dir: string, options: readonly string[] = []): Promise<RedisProcess> {
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  let child: ChildProcess | undefined;
  const settings = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir],
    ...['--save', '', '--loglevel', 'warning'],
  ];
  const command = (...words: string[]) => askRedis(port, ...words);
  const start = async () => {
    const started = spawn('redis-server', [...settings, ...options], { stdio: 'ignore' });
    child = started;
    const isAnswering = async () => (await command('PING')) === 'PONG';
    await eventually(async () => started.exitCode !== null || (await isAnswering()));
    if (started.exitCode !== null) throw new Error(`redis-server ended with exit code ${started.exitCode}`);
  };
  const kill = async () => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    command,
  };
}

/** The system gives these to nobody who does not ask for one, so that no connection takes one before, or while, its server is away. */
const askedFor = { from: 16_384, to: 32_767 };

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(askedFor.from, askedFor.to + 1);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Waits until `isTrue` says so; a minute is far more than anything here takes. */
export async function eventually(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    if (await Promise.resolve(isTrue()).catch(() => false)) return;
    if (performance.now() > deadline) throw new Error('this did not come true within two minutes');
    await sleep(20);
  }
}
