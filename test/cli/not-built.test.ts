import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';

const clone = mkdtempSync(join(tmpdir(), 'typebadge-clone-'));
afterAll(() => rmSync(clone, { recursive: true, force: true }));
cpSync(packageFile('package.json'), join(clone, 'package.json'));
cpSync(packageFile('bin'), join(clone, 'bin'), { recursive: true });

test.each([['serve'], ['play'], ['announce', 'list']])(
  'in a clone that was not built, %s says what to run',
  (...words) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(clone, 'bin', 'typebadge.js'), ...words],
      { encoding: 'utf8' },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'typebadge is not built yet: run "npm ci" in the folder of the clone, then this command again.\n',
    });
  },
);
