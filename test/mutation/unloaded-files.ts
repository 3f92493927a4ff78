import type { Reporter, Vitest } from 'vitest/node';

/**
 * The mutation tester looks at tests alone, and a file that cannot be loaded has none: a mutant that breaks what a file computes
 * before its tests would count as unnoticed. Such a file gets a test that failed.
 */
export class UnloadedFiles implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(): void {
    for (const file of this.vitest?.state.getFiles() ?? []) {
      if (file.result?.state !== 'fail' || file.tasks.length > 0) continue;
      const name = 'is loaded';
      file.tasks.push({
        type: 'test',
        id: `${file.id}_0`,
        name,
        fullName: name,
        fullTestName: name,
        mode: 'run',
        file,
        suite: file,
        meta: {},
        timeout: 0,
        annotations: [],
        artifacts: [],
        context: {} as never,
        result: file.result,
      });
    }
  }
}
