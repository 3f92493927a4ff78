import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { runTypebadge } from '../support/typebadge-process.ts';

test('the workflow for GitHub Pages tells a pull request what readers would see, whatever a message holds', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'typebadge-pages-'));
  try {
    await mkdir(join(cwd, 'content'));
    const message = '50% off ``` ::error::no';
    const { code, stderr } = await runTypebadge(['announce', 'publish', message, '--content', 'content'], {
      cwd,
    });
    expect(code, stderr).toBe(0);
    // In place of npx and the package it would download.
    const program = packageFile('bin', 'typebadge.js');
    await writeFile(join(cwd, 'npx'), `#!/bin/sh\nshift 4\nexec "${process.execPath}" "${program}" "$@"\n`);
    await chmod(join(cwd, 'npx'), 0o755);
    const workflow = await readFile(packageFile('deploy', 'github-pages.yml'), 'utf8');
    const [, script = ''] = /What readers would see\n {8}run: \|\n((?: {10}.*\n)+)/.exec(workflow) ?? [];
    const summary = join(cwd, 'summary.md');
    const env = { ...process.env, PATH: `${cwd}:${process.env.PATH}`, GITHUB_STEP_SUMMARY: summary };
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd, env });
    expect(stdout).toMatch(/^::notice title=What readers would see::.*50%25 off ``` ::error::no.*\n$/);
    const lines = (await readFile(summary, 'utf8')).trim().split('\n');
    expect([lines[0], lines.at(-1)]).toEqual(['```', '```']);
    expect(lines.join()).toContain(message);
    expect(lines.slice(1, -1).filter((line) => line.startsWith('```'))).toEqual([]);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});
