import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/server/package-files.ts';
import { canUseTerminal } from '../terminal/tmux.ts';
import {
  canClone,
  isWholePath,
  linkInstalledPackages,
  type NewcomerMachine,
  openNewcomerMachine,
} from './fresh-clone.ts';
import { type Installation, installArchive, measureInstallation, packClone } from './installation.ts';
import { findFreePort, type NewcomerDesk, openNewcomerDesk } from './newcomer-desk.ts';
import { listInstalledPackages, listInstallScripts } from './package-lock.ts';

test('nothing that a user installs runs a program while it is installed', () => {
  expect(listInstalledPackages()).toContain('node_modules/ink');
  expect(listInstallScripts()).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  for (const name of ['preinstall', 'install', 'postinstall']) expect(scripts).not.toHaveProperty(name);
});

describe.runIf(canUseTerminal && canClone)('the package, installed into an empty folder', () => {
  let machine: NewcomerMachine;
  let desk: NewcomerDesk;
  let files: readonly string[];
  let size: Installation;

  beforeAll(async () => {
    machine = await openNewcomerMachine();
    // On the whole path the test before this one has shown that `npm ci` does it.
    await linkInstalledPackages(machine);
    const packed = await packClone(machine);
    files = packed.files;
    const folder = join(machine.folder, 'empty');
    await installArchive(packed.archive, folder, machine);
    size = await measureInstallation(folder);
    const port = isWholePath ? undefined : await findFreePort();
    desk = await openNewcomerDesk(machine, folder, { port, patience: 50_000 });
  }, 300_000);
  afterAll(async () => {
    await desk?.close();
    await machine?.remove();
  });

  test('holds what it needs and what its documents speak of, and no source or test', () => {
    const folders = new Set(files.map((path) => path.replace(/[^/]+$/, '').replace(/^dist\/.*/, 'dist/')));
    expect([...folders].sort()).toEqual([
      ...[
        '',
        'bin/',
        'content/',
        'content/badge/',
        'content/words/',
        'deploy/',
        'dist/',
        'docs/',
        'docs/images/',
      ],
    ]);
    expect(files.filter((path) => !path.includes('/')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    expect(files).toContain('content/words/LICENSE');
    expect(files.filter((path) => /\.(?:tsx?|map)$|test/.test(path))).toEqual([]);
    const links = [
      ...readFileSync(packageFile('README.md'), 'utf8').matchAll(/\]\(((?!https?:)\w+\/[^)#]+)/g),
    ];
    for (const [, path] of links) expect(files, 'a link of the README').toContain(path);
  });

  test('is as large as the README says', () => {
    const readme = readFileSync(packageFile('README.md'), 'utf8');
    const [, megabytes, packages] = /\| installed .*\| (\d+) MB, (\d+) packages \|/.exec(readme) ?? [];
    console.info(`Installed: ${size.megabytes.toFixed(1)} MB, ${size.packages} packages.`);
    expect(size.packages).toBe(Number(packages));
    expect(Math.abs(size.megabytes - Number(megabytes))).toBeLessThan(0.1 * Number(megabytes));
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
      .filter((line) => /^ +[a-z]+(?: [a-z]+){2,} *$/.test(line))
      .join(' ')
      .trim()
      .split(/ +/);
    expect(words, screen).toHaveLength(30);
    for (const word of words) await desk.window.type(`${word} `);
    await desk.window.see(/Round finished .* 1 round/);
    await desk.window.press('C-c');
    await desk.ended();
    expect(await desk.finish('npx typebadge stats --data mine')).toContain('1 round');
  });

  // Asks the registry, which a suite that runs without a network cannot.
  test.runIf(isWholePath)('npm audit knows of nothing bad in it', async () => {
    const audit = promisify(execFile)('npm', ['audit', '--omit=dev', '--json'], {
      cwd: machine.clone,
      env: machine.env,
    });
    const { stdout } = await audit.catch((error: { stdout: string }) => error);
    const { metadata, message } = JSON.parse(stdout);
    if (metadata === undefined) return console.warn(`This registry answers no audits: ${message}`);
    expect(metadata.vulnerabilities.total).toBe(0);
  });
});
