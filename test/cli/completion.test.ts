import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlayCommand } from '../../src/cli/commands/play/play-command.ts';
import { createStatsCommand } from '../../src/cli/commands/stats/stats-command.ts';
import { Invocation, newProcessIo } from '../../src/cli/program/command-io.ts';
import { readPracticeValues } from '../../src/cli/typist/practice-names.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { lasting } from '../support/test-server.ts';
import { runHere } from '../support/typebadge-here.ts';

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

/** A folder with two announcements, and the program on the path, as a completion finds it. */
function openContent(): Record<string, string> {
  const [bin, content] = [join(dir, 'bin'), join(dir, 'content')];
  for (const folder of [bin, content]) mkdirSync(folder, { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${packageFile('bin', 'typebadge.js')}' "$@"\n`;
  writeFileSync(join(bin, 'typebadge'), program, { mode: 0o755 });
  const announcements = [
    { ...lasting, id: 'sale.of-winter', message: 'a, "b" $(touch hit)' },
    { ...lasting, id: '2026-001', published: '2026-01-01T00:00:00Z' },
  ];
  writeFileSync(join(content, 'history.json'), JSON.stringify({ announcements }));
  return {
    PATH: `${bin}:${process.env.PATH}`,
    TYPEBADGE_CONTENT: content,
    HOME: dir,
    XDG_CONFIG_HOME: join(dir, "somebody's config"),
    XDG_DATA_HOME: join(dir, 'data'),
  };
}

/** What the scripts get for a line of which the last word is being typed. */
async function offers(line: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const words = line.split(' ').slice(1);
  const { stdout } = await runHere(['__complete', '--', ...words], {
    cwd: dir,
    env: { ...openContent(), ...env },
  });
  return stdout.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0] ?? '']));
}

describe('what may come next', () => {
  test.each<[line: string, all: string[]]>([
    ['typebadge announce pub', ['publish']],
    ['typebadge serve --port 80 --trust', ['--trust-proxy']],
    ['typebadge completion z', ['zsh']],
    ['typebadge serve -log j', ['json']],
    ['typebadge serve --port ', []],
    ['typebadge serve --data x', [':folders']],
    ['typebadge serve --logo x', [':files']],
    ['typebadge help announce pub', ['publish']],
    ['typebadge play --code py', ['python']],
    ['typebadge play --drill ', ['letters', 'bigrams', 'words']],
    ['typebadge stats --mode time-6', ['time-60']],
    ['typebadge announce edit --severity ', ['info', 'success', 'warning', 'critical']],
    ['typebadge announce list --state p', ['past']],
  ])('after "%s" is %j', async (line, all) => {
    expect(await offers(line)).toEqual(all);
  });

  test.runIf(process.platform === 'linux')(
    'is the profiles that there are by then, and no name is run',
    async () => {
      expect(await offers('typebadge stats --profile ')).toEqual(['default']);
      const [config, data] = [join(dir, "somebody's config"), join(dir, 'data')];
      for (const name of ['work', 'home-2', '$(touch hit)', 'a b', '*'])
        mkdirSync(join(config, 'typebadge', 'profiles', name), { recursive: true });
      for (const name of ['work', 'data-only'])
        mkdirSync(join(data, 'typebadge', 'typist', 'profiles', name), { recursive: true });
      for (const command of ['play', 'stats', 'import'])
        expect(await offers(`typebadge ${command} --profile `)).toEqual([
          ...['default', 'data-only', 'home-2', 'work'],
        ]);
    },
  );

  test('is the ids of the announcements of the chosen folder', async () => {
    const env = openContent();
    for (const verb of ['edit', 'stats']) {
      const ids = (await offers(`typebadge announce ${verb} `, env)).filter((word) => !word.startsWith('-'));
      expect(ids.sort(), verb).toEqual(['2026-001', 'sale.of-winter']);
    }
    const nothing = { ...env, TYPEBADGE_CONTENT: join(dir, 'nowhere') };
    expect(await offers('typebadge announce edit 2', nothing)).toEqual([]);
    expect(existsSync(nothing.TYPEBADGE_CONTENT)).toBe(false);
    expect(await offers(`typebadge announce edit --content ${env.TYPEBADGE_CONTENT} 2`, nothing)).toEqual([
      '2026-001',
    ]);
  });
});

test('completion in bash offers words, files and folders, and runs nothing', () => {
  const offers = (line: string) => {
    const words = line.split(' ').map((word) => JSON.stringify(word));
    const program = `
      source ${files.get('bash')}
      COMP_WORDS=(${words.join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _typebadge; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const options = { encoding: 'utf8', cwd: dir, env: { ...process.env, ...openContent() } } as const;
    return execFileSync('bash', ['--norc', '-c', program], options).trim().split('\n');
  };
  const folder = join(dir, 'folders');
  for (const name of ['first', 'second']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'logo.svg'), '');
  expect(offers(`typebadge serve --data ${folder}/`)).toEqual([`${folder}/first`, `${folder}/second`]);
  expect(offers(`typebadge serve --logo ${folder}/lo`)).toEqual([`${folder}/logo.svg`]);
  expect(offers('typebadge serve --log = j')).toEqual(['json']); // as bash splits --log=j
  expect(offers('typebadge announce edit s')).toEqual(['sale.of-winter']);
  expect(existsSync(join(dir, 'hit'))).toBe(false);
});

test.skipIf(!has('fish'))('completion in fish offers commands, subcommands and options', () => {
  const offers = (line: string) => {
    const program = `source ${files.get('fish')}; complete -C '${line}'`;
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', program], {
      encoding: 'utf8',
      env: { ...process.env, ...openContent() },
    });
    // A word of the line that is an option must not be one of fish's own commands.
    expect(stderr).toBe('');
    return stdout;
  };
  expect(offers('typebadge ann')).toMatch(/^announce\tpublish/m);
  expect(offers('typebadge completion ')).toBe('bash\nfish\nzsh\n');
  expect(offers('typebadge serve -log j')).toMatch(/^json$/m);
  expect(offers('typebadge announce edit sale')).toMatch(/^sale\.of-winter$/m);
});

test('each offered value is accepted by its option', () => {
  const invocation = new Invocation(newProcessIo());
  const commands = { play: createPlayCommand(invocation), stats: createStatsCommand(invocation) };
  for (const [place, values] of readPracticeValues()) {
    const [name, long] = place.split(' ');
    const option = commands[name as keyof typeof commands].options.find((one) => one.long === long);
    expect(option, place).toBeDefined();
    for (const value of values) option?.parseArg?.(value, undefined);
  }
});

test.skipIf(!has('zsh'))('completion in zsh loads, and offers commands, values and ids', () => {
  const zsh = (words: string) => {
    const program = `
      autoload -Uz compinit && compinit -u -d ${dir}/dump; source ${files.get('zsh')}
      _describe() { print -l -- $offers }
      _files() { print files $* }
      _path_files() { print folders $* }
      words=(${words}); CURRENT=$#words; _typebadge`;
    const run = spawnSync('zsh', ['-f', '-c', program], {
      encoding: 'utf8',
      env: { ...process.env, ...openContent() },
    });
    expect(run.stderr).toBe('');
    return run.stdout;
  };
  expect(zsh('typebadge announce pub')).toMatch(/^publish:/m);
  expect(zsh("typebadge serve -log ''")).toMatch(/^json$/m);
  expect(zsh("typebadge announce edit ''")).toMatch(/^2026-001$/m);
  expect(zsh("typebadge serve --logo ''")).toBe('files\n');
  expect(zsh("typebadge serve --data ''")).toBe('folders -/\n');
});
