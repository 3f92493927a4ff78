import { expect, test } from 'vitest';
import { startServeProcess } from '../support/typebadge-process.ts';
import { newCommandLine } from './command-line.ts';

const line = newCommandLine({ 'history.json': '{"announcements":[]}' }, { forAll: true });
const run = (args: string, env: Record<string, string>) => line.run(args, { env });
const ofStore =
  'Warning: TYPEBADGE_STOER is not a variable that typebadge reads. Did you mean TYPEBADGE_STORE?\n';

test('a misspelt variable is named on standard error, and standard output stays as it is', async () => {
  const right = await run('announce list --json', {});
  const wrong = await run('announce list --json', { TYPEBADGE_STOER: 'redis://x' });
  expect(right).toMatchObject({ code: 0, stderr: '' });
  expect(wrong).toEqual({ ...right, stderr: ofStore });
});

test('serve names one that would keep players apart, once', async () => {
  const env = { ...line.env, TYPEBADGE_TRUST_PROXI: '127.0.0.1' };
  const server = await startServeProcess(['--workers', '2', '--typing', 'off'], { env });
  server.child.kill('SIGTERM');
  const { stderr } = await server.finished;
  expect(stderr.match(/^Warning: .*$/gm)).toEqual([
    'Warning: TYPEBADGE_TRUST_PROXI is not a variable that typebadge reads. Did you mean TYPEBADGE_TRUST_PROXY?',
  ]);
});

test.each(['--version', '--help', 'announce --help', 'help serve', 'completion bash'])(
  '%s does not mention variables',
  async (args) => {
    const { code, stderr } = await run(args, { TYPEBADGE_STOER: 'x' });
    expect([code, stderr]).toEqual([0, '']);
  },
);

test('variables of other programs are ignored', async () => {
  const env = { TYPEBADGE_OF_ANOTHER_PROGRAM: '1', TYPESCRIPT: '1', TYPE: 'x' };
  expect(await run('announce list', env)).toMatchObject({ code: 0, stderr: '' });
});
