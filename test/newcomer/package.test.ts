import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOpenApiDocument } from '../../src/contract/openapi/openapi.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { freePort } from '../support/redis/redis-process.ts';
import { pauseAfterWord } from '../terminal/play-table.ts';
import { canUseTerminal } from '../terminal/tmux.ts';
import {
  canClone,
  isWholePath,
  linkInstalledPackages,
  type NewcomerMachine,
  openNewcomerMachine,
} from './fresh-clone.ts';
import { type Installation, installArchive, measureInstallation, packClone } from './installation.ts';
import { type NewcomerDesk, openNewcomerDesk } from './newcomer-desk.ts';

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));

test('a user installs one package, and no program runs meanwhile', () => {
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'])
    expect(manifest).not.toHaveProperty(kind);
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest.scripts).not.toHaveProperty(name);
});

test('the build needs nothing but Node', () => {
  const files = readdirSync(packageFile('dist'), { recursive: true, encoding: 'utf8' });
  const imports = files
    .filter((file) => /^(?:(?:serve|play)\/)?(?:chunks\/)?[^/]+\.js$/.test(file))
    .flatMap((file) => [
      ...readFileSync(packageFile('dist', file), 'utf8').matchAll(
        /(?:^|;)import(?:[^"'();]*from)?\s*["']([^"']+)["']/gm,
      ),
    ])
    .map(([, name = '']) => name);
  expect(imports).toContain('node:module');
  expect(imports.filter((name) => !/^\.{1,2}\//.test(name) && !isBuiltin(name))).toEqual([]);
});

/** The files that a start opens: the first of the bundle, and of these chunks of it, with all that they import. */
function filesOfStart(command: string, chunks: readonly string[]): string[] {
  const bundle = packageFile('dist', command);
  const all = readdirSync(join(bundle, 'chunks'));
  const named = chunks.map((chunk) => all.find((file) => file.startsWith(`${chunk}-`)) ?? chunk);
  const opened = new Set<string>();
  const open = (path: string) => {
    if (opened.has(path)) return;
    opened.add(path);
    const text = readFileSync(path, 'utf8');
    for (const [, to = ''] of text.matchAll(/(?:^|;)import(?:[^"'();]*from)?\s*"(\.[^"]+)"/gm))
      open(join(path, '..', to));
  };
  for (const file of ['main.js', ...named.map((name) => join('chunks', name))]) open(join(bundle, file));
  return [...opened];
}

test('starting serve or play opens few files: each costs more than the code in it', () => {
  expect(filesOfStart('serve', ['serve-command', 'run-server']).length).toBeLessThan(12);
  expect(filesOfStart('play', ['play-command', 'run-play', 'play']).length).toBeLessThan(16);
});

/** Name, version and licence of every library in the notices. */
function readNotices(): (readonly [name: string, licence: string])[] {
  const text = readFileSync(packageFile('dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  return text
    .split(`\n${'-'.repeat(80)}\n\n`)
    .slice(1)
    .map((notice) => {
      const [, name = '', licence = ''] = /^(\S+) \d\S* \((.+)\)\n/.exec(notice) ?? [];
      expect(notice, name).toMatch(/permission|license/i);
      expect(notice, name).toMatch(/copyright/i);
      return [name, licence] as const;
    });
}

test('the licences of all libraries in it are listed, and allow bundling', () => {
  const notices = readNotices();
  const names = notices.map(([name]) => name);
  for (const name of [
    'commander',
    'ink',
    'react',
    'react-reconciler',
    'undici',
    'kleur',
    'yoga-layout',
    'valibot',
  ])
    expect(names).toContain(name);
  expect(names).not.toContain('caniuse-lite');
  for (const [name, licence] of notices)
    expect(['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause', '0BSD'], name).toContain(licence);
});

test('the published contract is that of the sources', () => {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  const published = JSON.parse(readFileSync(packageFile('dist', 'openapi.json'), 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument(version))));
});

describe.runIf(canUseTerminal && canClone)('the package, installed into an empty folder', () => {
  let machine: NewcomerMachine;
  let desk: NewcomerDesk;
  let files: readonly string[];
  let size: Installation;
  let said: string;

  beforeAll(async () => {
    machine = await openNewcomerMachine();
    // On the whole path the test before this one has shown that `npm ci` does it.
    await linkInstalledPackages(machine);
    const packed = await packClone(machine);
    files = packed.files;
    const folder = join(machine.folder, 'empty');
    said = await installArchive(packed.archive, folder, machine);
    size = await measureInstallation(folder);
    const port = isWholePath ? undefined : await freePort();
    desk = await openNewcomerDesk(machine, folder, { port, patience: 50_000 });
  }, 300_000);
  afterAll(async () => {
    await desk?.close();
    await machine?.remove();
  });

  test('contains what it needs and what its documents mention, and no sources or tests', () => {
    const folders = new Set(files.map((path) => path.replace(/[^/]+$/, '').replace(/^dist\/.*/, 'dist/')));
    const content = ['badge', 'code', 'layouts', 'quotes', 'sample', 'words', 'words/left-out'].map(
      (name) => `content/${name}/`,
    );
    const known = ['', 'bin/', 'content/', ...content, 'deploy/', 'dist/', 'docs/'];
    expect([...folders].filter((folder) => !known.includes(folder))).toEqual([]);
    expect(files.filter((path) => !path.includes('/')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'package.json',
    ]);
    expect(files).toContain('content/words/LICENSE');
    expect(files.filter((path) => /\.(?:tsx?|map)$|test/.test(path))).toEqual([]);
    const links = [
      ...readFileSync(packageFile('README.md'), 'utf8').matchAll(/\]\(((?!https?:)\w+\/[^)#]+)/g),
    ];
    // Pictures are as large as the program; the pages of the repository show them.
    const documents = links.filter(([, path]) => !path?.startsWith('docs/images/'));
    for (const [, path] of documents) expect(files, 'a link of the README').toContain(path);
  });

  test('contains the client library of the store once, so that its replies are guarded everywhere', () => {
    const programs = files.filter((path) => /^dist\/.*\.js$/.test(path));
    const own = 'Command queue state error';
    const installed = join(machine.folder, 'empty', 'node_modules', 'typebadge');
    const holders = programs.filter((path) => readFileSync(join(installed, path), 'utf8').includes(own));
    expect(holders).toHaveLength(1);
  });

  test('is installed without a warning', () => {
    expect(said).toContain('added 1 package');
    expect(said).not.toMatch(/warn|deprecated|script/i);
  });

  test('is as large as the README says', () => {
    const readme = readFileSync(packageFile('README.md'), 'utf8');
    const [, packages, megabytes] = /Installed, it is (\d+) package of less than (\d+) MB/.exec(readme) ?? [];
    console.info(`Installed: ${size.megabytes.toFixed(1)} MB, ${size.packages} package.`);
    expect(size.packages).toBe(Number(packages));
    expect(size.megabytes).toBeLessThan(Number(megabytes));
  });

  test('serves, and publishes what is then on the badge', async () => {
    await desk.serve('npx typebadge serve -port 8787');
    await desk.finish('npx typebadge announce publish "Installed from a package"');
    for (let text = ''; !text.includes('Installed from a package'); ) {
      text = await (await fetch(`http://127.0.0.1:${desk.port}/content/announcement.json`)).text();
    }
    await desk.stopServing();
  });

  test('plays a whole round with the server inside, and counts it', async () => {
    await desk.start('npx typebadge play --view lines --data mine');
    const screen = await desk.window.see('word 1 of 30');
    const words = screen
      .split('\n')
      .filter((line) => /^ +[a-z]+(?: [a-z]+)* *$/.test(line))
      .join(' ')
      .trim()
      .split(/ +/);
    expect(words, screen).toHaveLength(30);
    for (const word of words) {
      await desk.window.type(`${word} `);
      await new Promise((resolve) => setTimeout(resolve, pauseAfterWord));
    }
    await desk.window.see(/Round finished .* 1 round/);
    await desk.window.press('C-c');
    await desk.ended();
    expect(await desk.finish('npx typebadge stats --data mine')).toContain('1 round');
  });

  // Asks the registry, which a suite that runs without a network cannot.
  test.runIf(isWholePath)('npm audit reports nothing', async () => {
    const audit = promisify(execFile)('npm', ['audit', '--json'], {
      cwd: machine.clone,
      env: machine.env,
    });
    const { stdout } = await audit.catch((error: { stdout: string }) => error);
    const { vulnerabilities, message } = JSON.parse(stdout);
    if (vulnerabilities === undefined) return console.warn(`This registry answers no audits: ${message}`);
    const shipped = readNotices().map(([name]) => name);
    expect(Object.keys(vulnerabilities).filter((name) => shipped.includes(name))).toEqual([]);
  });
});
