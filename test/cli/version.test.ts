import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile, readPackageVersion } from '../../src/kit/package-files.ts';

const program = packageFile('bin', 'typebadge.js');
const run = promisify(execFile);

test.each(['--version', '-V'])('%s prints the version of the package, and nothing else', async (option) => {
  expect(await run(process.execPath, [program, option])).toEqual({
    stdout: `${readPackageVersion()}\n`,
    stderr: '',
  });
});

test.skipIf(process.platform === 'win32')('a reader that does not wait for the version is no error', () => {
  const script = `{ "$0" "$1" --version; echo "exit code $?" >&2; } | true`;
  const { stderr } = spawnSync('sh', ['-c', script, process.execPath, program], { encoding: 'utf8' });
  expect(stderr).toBe('exit code 0\n');
});

test('on a Node that is too old, the error names the required version', () => {
  const disguise = `Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } });
    delete process.getBuiltinModule;`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`, program, '--version'],
    { encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('typebadge needs Node.js 20.19 or newer');
});
