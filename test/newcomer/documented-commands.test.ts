import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldOptions } from '../../src/announcements/fields.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { freePort } from '../support/redis/redis-process.ts';
import { canUseTerminal } from '../terminal/tmux.ts';
import { type DocumentedCommand, readCommands, readDocuments } from './documented-commands.ts';
import {
  canClone,
  isWholePath,
  linkInstalledPackages,
  type NewcomerMachine,
  openNewcomerMachine,
} from './fresh-clone.ts';
import { findKnown, listForgotten, toPresent } from './known-commands.ts';
import { type NewcomerDesk, openNewcomerDesk } from './newcomer-desk.ts';

const documents = readDocuments().map((document) => ({ document, commands: readCommands(document) }));
const all = documents.flatMap(({ commands }) => commands);

test('the page of editors names every option of a field', () => {
  const page = readFileSync(packageFile('docs', 'editing.md'), 'utf8');
  const names = fieldOptions('publishOptions').map(([flags]) => flags.split(' ')[0]);
  expect(names.filter((name) => !page.includes(`${name}`))).toEqual([]);
});

test('every documented command has an expected effect, and every expected one is documented', () => {
  const unknown = all.filter(({ command }) => findKnown(command) === undefined);
  expect(unknown.map(({ command, place }) => `${place}: ${command}`)).toEqual([]);
  expect(listForgotten(all.map(({ command }) => command))).toEqual([]);
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('curl is not installed: the documented commands with it are left out.');

const followed = documents
  .map(({ document, commands }) => ({ document, commands: commands.filter(isFollowed) }))
  .filter(({ commands }) => commands.length > 0);

function isFollowed({ command }: DocumentedCommand): boolean {
  return typeof findKnown(command) === 'function' && (hasCurl || !command.includes('curl '));
}

describe.runIf(canUseTerminal && canClone)('pasted into a fresh clone with an empty home', () => {
  let machine: NewcomerMachine;

  beforeAll(async () => {
    machine = await openNewcomerMachine();
    if (!isWholePath) await linkInstalledPackages(machine);
  });
  afterAll(() => machine.remove());

  describe.each(followed)('$document', ({ document, commands }) => {
    let desk: NewcomerDesk;

    beforeAll(async () => {
      desk = await openNewcomerDesk(machine, await openFolder(document), {
        port: isWholePath ? undefined : await freePort(),
        patience: isWholePath ? 900_000 : 50_000,
      });
    });
    afterAll(() => desk.close());

    test.each(commands)(
      '$place: $command',
      { timeout: isWholePath ? 900_000 : 60_000 },
      async ({ command }) => {
        const follow = findKnown(command);
        if (typeof follow !== 'function') throw new Error(`${command} is not to be followed.`);
        await follow(desk, toPresent(isWholePath ? command : command.replace(/^npm ci && /, '')));
      },
    );
  });

  /** The README is followed in the clone; each guide in a folder with the announcements of a new installation. */
  async function openFolder(document: string): Promise<string> {
    if (document === 'README.md') return machine.clone;
    const folder = join(machine.folder, document.replace('/', '-'));
    await mkdir(join(folder, 'content'), { recursive: true });
    for (const name of ['history.json', 'origins.json']) {
      await cp(packageFile('content', 'sample', name), join(folder, 'content', name));
    }
    return folder;
  }
});
