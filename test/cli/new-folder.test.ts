import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { lasting } from '../support/test-server.ts';
import { runHere } from '../support/typebadge-here.ts';

const run = promisify(execFile);
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-new-folder-'));
  await mkdir(join(dir, 'elsewhere'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

const env = () => ({ TYPEBADGE_DATA: join(dir, 'data'), TYPEBADGE_CONTENT: '' });

const announce = (...args: readonly string[]) =>
  runHere(['announce', ...args], { cwd: join(dir, 'elsewhere'), env: env() });
const list = () => announce('list');

/** The program of the clone. */
function announceOfClone(...args: readonly string[]) {
  return run(process.execPath, [join(dir, 'clone', 'bin', 'typebadge.js'), 'announce', ...args], {
    cwd: join(dir, 'elsewhere'),
    env: { ...process.env, ...env(), NO_COLOR: '1', TYPEBADGE_PORT: '1' },
  });
}

test('a new content folder gets the sample, and nothing that the owner of the clone has published or allowed', async () => {
  for (const name of ['package.json', 'bin', 'dist', 'content/sample'])
    await cp(packageFile(name), join(dir, 'clone', name), { recursive: true });
  const published = { ...lasting, id: 'own', message: 'Published by the owner of the clone' };
  await writeFile(
    join(dir, 'clone', 'content', 'history.json'),
    JSON.stringify({ announcements: [published] }),
  );
  await writeFile(join(dir, 'clone', 'content', 'origins.json'), '{"origins":["https://example.org"]}');
  const { stdout } = await announceOfClone('list');
  expect(stdout).toContain('2026-001');
  expect(stdout).not.toMatch(/\bown\b/);
  for (const name of ['history.json', 'origins.json'])
    expect(await readFile(join(dir, 'data', 'content', name), 'utf8')).toBe(
      await readFile(packageFile('content', 'sample', name), 'utf8'),
    );
});

test('the command that creates the folder says so once, and does not claim that a badge shows it', async () => {
  const { stdout, stderr } = await list();
  expect(stderr).toContain(`The content folder ${join(dir, 'data', 'content')} is new`);
  expect(stdout).toContain('● is the current announcement.');
  expect((await list()).stderr).toBe('');
});
