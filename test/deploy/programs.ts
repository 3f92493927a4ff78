import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { packageFile } from '../../src/kit/package-files.ts';

const isRequired = process.env.TYPEBADGE_REQUIRE_DEPLOYMENT === '1';

/** Whether tests with this program can run here. They are left out loudly, or fail where they are required. */
export function canUse(program: string, versionFlag: string): boolean {
  if (spawnSync(program, [versionFlag]).status === 0) return true;
  const reason = `${program} is not installed: the deployment tests with it`;
  if (isRequired) throw new Error(`${reason} are required by TYPEBADGE_REQUIRE_DEPLOYMENT=1.`);
  console.warn(`${reason} are left out.`);
  return false;
}

/** The settings of an example file, as systemd reads them: one NAME=value a line. */
export async function readExampleSettings(): Promise<Record<string, string>> {
  const text = await readFile(packageFile('deploy', 'typebadge.env'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Replaces what must be there, and only that; nothing else of an example file changes. */
export function replaceAllOf(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The example file holds no "${from}".`);
    return changed.replaceAll(from, to);
  }, text);
}
