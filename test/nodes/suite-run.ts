import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { NodeRelease } from './node-release.ts';

export interface SuiteResult {
  readonly version: string;
  readonly passed: number;
  readonly failed: number;
  readonly leftOut: number;
  readonly seconds: number;
  /** Names of the tests that failed. */
  readonly failures: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Milliseconds for one command: several times what the whole suite takes on a small machine. */
const longestRun = 60 * 60_000;

/**
 * Installs a clone and runs its suite with one release of Node, which every process started below finds first.
 *
 * @param files names that test files must contain; none: all of them
 */
export async function runSuite(
  { version, bin }: NodeRelease,
  clone: string,
  files: readonly string[],
): Promise<SuiteResult> {
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
  const inClone = async (command: string, args: readonly string[]) => {
    const stdio = ['ignore', 'inherit', 'inherit'] as const;
    const child = spawn(command, args, { cwd: clone, env, stdio: [...stdio], timeout: longestRun });
    const [code] = await once(child, 'close');
    return code as number | null;
  };
  if ((await inClone('npm', ['ci', '--prefer-offline', '--no-audit'])) !== 0) {
    throw new Error(`npm ci failed with Node ${version}.`);
  }
  const file = join(clone, 'suite.json');
  const start = performance.now();
  const code = await inClone('npm', [
    'test',
    '--',
    ...files,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile=${file}`,
  ]);
  const seconds = Math.round((performance.now() - start) / 1000);
  const report = JSON.parse(await readFile(file, 'utf8')) as VitestReport;
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    return status === 'failed' && failed.length === 0 ? [`${name}: ${message}`] : failed;
  });
  if (code !== 0 && failures.length === 0) failures.push(`vitest ended with ${code}`);
  return {
    ...{ version, seconds, failures, failed: failures.length },
    ...{ passed: report.numPassedTests, leftOut: report.numPendingTests },
  };
}
