import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { serveOptions } from '../../src/cli/serving/serve-options.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { freePort } from '../support/redis/redis-process.ts';
import { until } from '../support/until.ts';
import { canUse } from './programs.ts';

/*
 * No container engine is needed here: the image itself is not built. What its instructions do is done with plain commands
 * in folders of this machine.
 */

const run = promisify(execFile);

test('the steps of the image, run in clean folders, make a server that passes its own health check', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typebadge-image-'));
  const [build = [], image = []] = await readStages();
  /** Absolute paths of the image are below the folder here. */
  const toHere = (text: string) => text.replaceAll(/(?<![\w.'/:-])\/(opt|tmp|data|build)\b/g, `${folder}/$1`);
  try {
    for (const name of ['build', 'tmp/packed', 'opt']) await mkdir(join(folder, name), { recursive: true });
    const workdir = toHere(lastOf(build, 'WORKDIR').text);
    for (const { sources, target } of copiesOf(build)) {
      for (const source of sources) {
        expect(existsSync(packageFile(source)), source).toBe(true);
        const to = sources.length === 1 ? join(workdir, target) : join(workdir, target, basename(source));
        await cp(packageFile(source), to, { recursive: true });
      }
    }
    for (const { text } of build.filter(({ name }) => name === 'RUN')) {
      await run('sh', ['-c', toHere(text)], { cwd: workdir, maxBuffer: 64 * 1024 * 1024 });
    }
    const variables = image.filter(({ name }) => name === 'ENV').map(({ text }) => toHere(text).split('='));
    const port = await freePort();
    const [node, ...args] = [lastOf(image, 'ENTRYPOINT'), lastOf(image, 'CMD')].flatMap(
      ({ text }) => JSON.parse(toHere(text)) as string[],
    );
    expect(node).toBe('node');
    const server = spawn(process.execPath, args, {
      cwd: toHere(lastOf(image, 'WORKDIR').text),
      env: { ...process.env, ...Object.fromEntries(variables), TYPEBADGE_PORT: String(port) },
      stdio: 'ignore',
    });
    const ended = once(server, 'exit');
    try {
      const [, check = ''] = /CMD (\[.*\])$/.exec(lastOf(image, 'HEALTHCHECK').text) ?? [];
      const [, ...words] = JSON.parse(check) as string[];
      const isHealthy = (at: number) =>
        run(
          process.execPath,
          words.map((word) => word.replace(':8787/', `:${at}/`)),
        ).then(
          () => true,
          () => false,
        );
      await until(() => isHealthy(port));
      expect(await isHealthy(await freePort())).toBe(false);
      // Everything that it has written is in its volume.
      expect(existsSync(join(folder, 'data', 'content', 'history.json'))).toBe(true);
    } finally {
      server.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 600_000);

test('the image runs as an unprivileged user, and its stages only copy what was built', async () => {
  const [build = [], image = []] = await readStages();
  expect(lastOf(image, 'USER').text).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  const made = build.map(({ text }) => text).join('\n');
  for (const { text } of image.filter(({ name }) => name === 'COPY')) {
    const [source = ''] = text.split(/\s+/).filter((word) => word.startsWith('/'));
    expect(made).toContain(source);
  }
});

test('compose.yaml has three unprivileged replicas, a persistent store, and only existing settings', async () => {
  const { services, networks, secrets } = parse(
    await readFile(packageFile('deploy', 'compose.yaml'), 'utf8'),
  );
  const { typebadge, store, caddy } = services;
  expect(typebadge.deploy.replicas).toBe(3);
  expect(typebadge).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  expect(existsSync(packageFile('deploy', typebadge.build.context, typebadge.build.dockerfile))).toBe(true);
  const known = [...serveOptions().map(({ envVar }) => envVar), 'TYPEBADGE_STORE_PASSWORD_FILE'];
  expect(Object.keys(typebadge.environment).filter((name) => !known.includes(name))).toEqual([]);
  expect(typebadge.environment.TYPEBADGE_TRUST_PROXY).toBe(networks.front.ipam.config[0].subnet);
  const command = store.command.join(' ');
  for (const option of ['--appendonly yes', '--maxmemory-policy noeviction', '--requirepass'])
    expect(command).toContain(option);
  // The store is in reach of the replicas only, and opens no port.
  expect([store.networks, store.ports, caddy.networks]).toEqual([['back'], undefined, ['front']]);
  expect(networks.back.internal).toBe(true);
  for (const { secrets: own = [] } of [typebadge, store]) {
    for (const name of own) expect(secrets).toHaveProperty(name);
  }
  const [file] = caddy.volumes.map((volume: string) => volume.split(':')[0]);
  expect(existsSync(packageFile('deploy', file))).toBe(true);
});

test.runIf(canUse('caddy', 'version'))('Caddy accepts the file of compose.yaml', async () => {
  const file = packageFile('deploy', 'Caddyfile.replicas');
  const home = await mkdtemp(join(tmpdir(), 'typebadge-caddy-'));
  try {
    const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
    const { stdout, stderr } = await run('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], {
      env,
    });
    expect(stdout + stderr).toContain('Valid configuration');
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

/** An instruction of a Containerfile, such as `COPY bin ./bin`. */
interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
  readonly text: string;
}

/** The stages of the image, each from its FROM on. */
async function readStages(): Promise<readonly (readonly Instruction[])[]> {
  const text = await readFile(packageFile('deploy', 'Containerfile'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, words: rest.split(/\s+/), text: rest });
  }
  return stages;
}

/** The last instruction of that name. */
function lastOf(stage: readonly Instruction[], name: string): Instruction {
  const found = stage.findLast((instruction) => instruction.name === name);
  if (found === undefined) throw new Error(`The Containerfile has no ${name}.`);
  return found;
}

/** What `COPY` takes from the repository, and where it goes; copies between stages are left out. */
function copiesOf(stage: readonly Instruction[]) {
  return stage
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--'))
    .map(({ words }) => ({ sources: words.slice(0, -1), target: words.at(-1) as string }));
}
