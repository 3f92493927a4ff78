import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { send } from '../support/http-client.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { canUse, readExampleSettings, replaceAllOf } from './programs.ts';

const run = promisify(execFile);
const command =
  '/usr/bin/node --max-semi-space-size=16 /opt/typebadge/node_modules/typebadge/bin/typebadge.js serve';

let folder: string;
let unit: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typebadge-systemd-'));
  unit = await readFile(packageFile('deploy', 'typebadge.service'), 'utf8');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.runIf(canUse('systemd-analyze', '--version'))('systemd', () => {
  test('accepts the unit, and finds little exposed', async () => {
    // Here the program is elsewhere, and systemd looks whether it is there.
    const here = `${process.execPath} ${packageFile('bin', 'typebadge.js')} serve`;
    const file = join(folder, 'typebadge.service');
    await writeFile(file, replaceAllOf(unit, [[command, here]]));
    const { stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
    // It may also speak of units of this machine that have nothing to do with ours.
    expect(stderr.split('\n').filter((line) => line.includes('typebadge'))).toEqual([]);
    const limit = ['--offline=true', '--threshold=20', '--no-pager'];
    const { stdout } = await run('systemd-analyze', ['security', ...limit, file]);
    expect(stdout).toMatch(/Overall exposure level for typebadge\.service: [01]\.\d OK/);
  });
});

test('with the settings of the unit, the server fills its state folder, answers to its public name, and exits with 0', async () => {
  const own = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(own.TYPEBADGE_DATA).toBe('/var/lib/typebadge');
  const env = { ...own, ...(await readExampleSettings()), TYPEBADGE_DATA: join(folder, 'state') };
  const server = await startServeProcess([], { cwd: folder, env });
  const answer = await send(server.port, { path: '/feed.json', headers: { Host: 'badge.example.org' } });
  expect(answer.status).toBe(200);
  expect(answer.body.toString()).toContain('https://badge.example.org/');
  expect(await readFile(join(folder, 'state', 'content', 'history.json'), 'utf8')).toContain(
    '"announcements"',
  );
  server.child.kill('SIGTERM');
  await once(server.child, 'exit');
  expect(await server.finished).toMatchObject({ code: 0, signal: null, stderr: '' });
});
