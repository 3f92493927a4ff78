import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestFiles } from './longest-files.ts';

/**
 * Starts the longest files first, then the others as vitest would, and at last those that share a process, in one row:
 * vitest ends that process at the first file that needs its own.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const secondsOf = ({ moduleId }: TestSpecification) =>
      longestFiles[relative(this.ctx.config.root, moduleId)] ?? 0;
    const isShared = ({ project }: TestSpecification) => Number(!project.config.isolate);
    return usual.sort((a, b) => isShared(a) - isShared(b) || secondsOf(b) - secondsOf(a));
  }
}
