import { readFile } from 'node:fs/promises';
import { packageFile } from '../../src/kit/package-files.ts';

/** The settings of an example file, as systemd reads them: one NAME=value a line. */
export async function readExampleSettings(): Promise<Record<string, string>> {
  const text = await readFile(packageFile('deploy', 'typebadge.env'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
