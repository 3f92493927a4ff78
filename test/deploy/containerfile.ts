import { readFile } from 'node:fs/promises';
import { packageFile } from '../../src/kit/package-files.ts';

/** An instruction of a Containerfile, such as `COPY bin ./bin`. */
export interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
  readonly text: string;
}

/** The stages of the image, each from its FROM on. */
export async function readStages(): Promise<readonly (readonly Instruction[])[]> {
  const text = await readFile(packageFile('deploy', 'Containerfile'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, words: rest.split(/\s+/), text: rest });
  }
  return stages;
}

/** The last instruction of that name. */
export function lastOf(stage: readonly Instruction[], name: string): Instruction {
  const found = stage.findLast((instruction) => instruction.name === name);
  if (found === undefined) throw new Error(`The Containerfile has no ${name}.`);
  return found;
}

/** What `COPY` takes from the repository, and where it goes; copies between stages are left out. */
export function copiesOf(stage: readonly Instruction[]) {
  return stage
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--'))
    .map(({ words }) => ({ sources: words.slice(0, -1), target: words.at(-1) as string }));
}
