import { expect, test } from 'vitest';
import { startServeProcess } from '../support/typebadge-process.ts';
import { newCommandLine } from './command-line.ts';

const line = newCommandLine({ 'history.json': '{"announcements":[]}' }, { forAll: true });

test('serve names a misspelt variable that would keep players apart, once, and none of other programs', async () => {
  const foreign = { TYPEBADGE_OF_ANOTHER_PROGRAM: '1', TYPESCRIPT: '1', TYPE: 'x' };
  const env = { ...line.env, ...foreign, TYPEBADGE_TRUST_PROXI: '127.0.0.1' };
  const server = await startServeProcess(['--workers', '2', '--typing', 'off'], { env });
  server.child.kill('SIGTERM');
  const { stderr } = await server.finished;
  expect(stderr.match(/^Warning: .*$/gm)).toEqual([
    'Warning: TYPEBADGE_TRUST_PROXI is not a variable that typebadge reads. Did you mean TYPEBADGE_TRUST_PROXY?',
  ]);
});
