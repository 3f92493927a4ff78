import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';

const script = (shell: string) =>
  execFileSync(process.execPath, [packageFile('bin', 'typebadge.js'), 'completion', shell], {
    encoding: 'utf8',
  });
const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

let dir: string;
const files = new Map<string, string>();
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'typebadge-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    files.set(shell, join(dir, `completion.${shell}`));
    writeFileSync(files.get(shell) as string, script(shell));
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('completion in bash', () => {
  const offers = (line: string) => {
    const words = line.split(' ').map((word) => JSON.stringify(word));
    const program = `
      source ${files.get('bash')}
      COMP_WORDS=(${words.join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _typebadge; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8', cwd: dir }).trim().split('\n');
  };
  test('offers commands, subcommands, options and their values', () => {
    expect(offers('typebadge ')).toEqual(expect.arrayContaining(['serve', 'announce', 'play', '--version']));
    expect(offers('typebadge announce pub')).toEqual(['publish']);
    expect(offers('typebadge serve --trust')).toEqual(['--trust-proxy']);
    expect(offers('typebadge serve --port 80 --trust')).toEqual(['--trust-proxy']);
    expect(offers('typebadge completion z')).toEqual(['']);
  });
  test('leaves what only the user knows to the user', () => {
    expect(offers('typebadge serve --port ')).toEqual(['']);
  });
});

test.skipIf(!has('fish'))('completion in fish offers commands, subcommands and options', () => {
  const offers = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `source ${files.get('fish')}; complete -C '${line}'`], {
      encoding: 'utf8',
      env: { ...process.env, HOME: dir },
    });
  expect(offers('typebadge ann')).toMatch(/^announce\tpublish/m);
  expect(offers('typebadge announce pub')).toMatch(/^publish\t/m);
  expect(offers('typebadge serve --trust')).toMatch(/^--trust-proxy\t/m);
});

test.skipIf(!has('zsh'))('completion in zsh loads and knows every command', () => {
  const program = `
    autoload -Uz compinit && compinit -u -d ${dir}/dump; source ${files.get('zsh')}
    _describe() { print -l -- $offers }
    words=(typebadge announce pub); CURRENT=3; _typebadge`;
  const run = spawnSync('zsh', ['-f', '-c', program], {
    encoding: 'utf8',
    env: { ...process.env, HOME: dir },
  });
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/^publish:/m);
});

test('an unknown shell is wrong usage', () => {
  const run = spawnSync(process.execPath, [packageFile('bin', 'typebadge.js'), 'completion', 'tcsh'], {
    encoding: 'utf8',
  });
  expect(run.status).toBe(2);
  expect(run.stderr).toContain('bash, zsh, fish');
});
