import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTypebadge, startServeProcess } from '../support/typebadge-process.ts';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-misspelt-'));
  await writeFile(join(dir, 'history.json'), '{"announcements":[]}');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const toEnv = (env: Record<string, string>) => ({ TYPEBADGE_CONTENT: dir, TYPEBADGE_DATA: dir, ...env });
const ofStore =
  'Warning: TYPEBADGE_STOER is not a variable that typebadge reads. Did you mean TYPEBADGE_STORE?\n';

test('a misspelt variable is named on standard error, and standard output stays as it is', async () => {
  const args = ['announce', 'list', '--json'];
  const right = await runTypebadge(args, { env: toEnv({}) });
  const wrong = await runTypebadge(args, { env: toEnv({ TYPEBADGE_STOER: 'redis://x' }) });
  expect(right).toMatchObject({ code: 0, stderr: '' });
  expect(wrong).toEqual({ ...right, stderr: ofStore });
});

test('serve names one that would keep players apart, once', async () => {
  const env = toEnv({ TYPEBADGE_TRUST_PROXI: '127.0.0.1' });
  const server = await startServeProcess(['--workers', '2', '--typing', 'off'], { env });
  server.child.kill('SIGTERM');
  const { stderr } = await server.finished;
  expect(stderr.match(/^Warning: .*$/gm)).toEqual([
    'Warning: TYPEBADGE_TRUST_PROXI is not a variable that typebadge reads. Did you mean TYPEBADGE_TRUST_PROXY?',
  ]);
});

test.each([['--version'], ['--help'], ['announce', '--help'], ['help', 'serve'], ['completion', 'bash']])(
  '%s %s does not mention variables',
  async (...args) => {
    const { code, stderr } = await runTypebadge(args, { env: toEnv({ TYPEBADGE_STOER: 'x' }) });
    expect([code, stderr]).toEqual([0, '']);
  },
);

test('variables of other programs are ignored', async () => {
  const env = toEnv({ TYPEBADGE_OF_ANOTHER_PROGRAM: '1', TYPESCRIPT: '1', TYPE: 'x' });
  expect(await runTypebadge(['announce', 'list'], { env })).toMatchObject({ code: 0, stderr: '' });
});
