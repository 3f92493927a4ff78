import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../src/kit/package-files.ts';

/** The last commit of version 1, whose engine knew one kind of round and kept no score. */
const firstVersion = 'b7933f0';

/** What is used of that engine. */
export interface FirstEngine {
  newRound(id: string, words: readonly string[], punctuation: boolean): FirstRound;
  reduceRound(
    round: FirstRound,
    input: object,
  ): { readonly round: FirstRound } | { readonly problem: object };
  newInput(key: string, ms?: number, seq?: number): object;
}

/** Its rounds concern nobody else. */
type FirstRound = object;

/** The engine of version 1 as it is in the history of this repository; undefined where there is no history. */
export async function loadFirstEngine(): Promise<FirstEngine | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'typebadge-first-engine-'));
  try {
    const archive = execFileSync('git', ['archive', firstVersion, 'src/server/typing'], {
      cwd: packageFile(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  } catch {
    return undefined;
  }
  const read = (name: string) =>
    import(pathToFileURL(join(folder, 'src/server/typing', name)).href) as Promise<Partial<FirstEngine>>;
  return { ...(await read('round.ts')), ...(await read('round-input.ts')) } as FirstEngine;
}
