// Runs the suite on every supported line of Node.js, one after the other: `npm run test:nodes [-- line ... file ...]`.
// With lines such as `22 24` it runs on those alone, and with names of test files only what they match.
// Each release comes from the package registry into a temporary folder, and each suite runs in a clone of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile, packageRoot } from '../../src/kit/package-files.ts';
import { fetchNode } from './node-release.ts';
import { runSuite, type SuiteResult } from './suite-run.ts';

const supported = [20, 22, 24, 26];
const tooOld = 18;

const words = process.argv.slice(2);
const wanted = words.filter((word) => /^\d+$/.test(word)).map(Number);
const lines = wanted.length === 0 ? supported : wanted;
const files = words.filter((word) => !/^\d+$/.test(word));
const folder = mkdtempSync(join(tmpdir(), 'typebadge-nodes-'));
try {
  await checkRefusal();
  const results: SuiteResult[] = [];
  for (const line of lines) {
    const release = await fetchNode(line, folder);
    const clone = join(folder, `clone-${line}`);
    execFileSync('git', ['clone', '--quiet', packageRoot, clone]);
    console.log(`\nNode ${release.version}`);
    results.push(await runSuite(release, clone, files));
    rmSync(clone, { recursive: true, force: true });
  }
  print(results);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** On a Node that is too old, the program says so in one sentence and fails. */
async function checkRefusal(): Promise<void> {
  const { version, bin } = await fetchNode(tooOld, folder);
  const { status, stdout, stderr } = spawnSync(join(bin, 'node'), [
    packageFile('bin', 'typebadge.js'),
    '--version',
  ]);
  const sentence = `typebadge needs Node.js 20.19 or newer; this is ${version}.\n`;
  if (status !== 1 || String(stdout) !== '' || String(stderr) !== sentence) {
    throw new Error(`Node ${version} should be refused in one sentence, but said:\n${stdout}${stderr}`);
  }
  console.log(`Node ${version} is refused: ${sentence.trim()}`);
}

function print(results: readonly SuiteResult[]): void {
  console.log('\n| Node | tests passed | failed | left out | seconds |\n| --- | ---: | ---: | ---: | ---: |');
  for (const { version, passed, failed, leftOut, seconds } of results) {
    console.log(`| ${version} | ${passed} | ${failed} | ${leftOut} | ${seconds} |`);
  }
  for (const { version, failures } of results) {
    for (const failure of failures) console.log(`\n${version} failed: ${failure}`);
  }
}
