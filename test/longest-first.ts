import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestFiles } from './longest-files.ts';

/** Starts the longest files first, then the others as vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const secondsOf = ({ moduleId }: TestSpecification) =>
      longestFiles[relative(this.ctx.config.root, moduleId)] ?? 0;
    return usual.sort((a, b) => secondsOf(b) - secondsOf(a));
  }
}
