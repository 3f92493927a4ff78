// Runs the suite on every supported line of Node.js, one after the other: `npm run test:nodes [-- line ... file ...]`.
// With lines such as `22 24` it runs on those alone, and with names of test files only what they match.
// Each release comes from the package registry into a temporary folder, and each suite runs in a clone of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packageFile, packageRoot } from '../../src/kit/package-files.ts';

const supported = [20, 22, 24, 26];
const tooOld = 18;
/** Milliseconds for one command: several times what the whole suite takes on a small machine. */
const maxTime = 60 * 60_000;

const words = process.argv.slice(2);
const wanted = words.filter((word) => /^\d+$/.test(word)).map(Number);
const files = words.filter((word) => !/^\d+$/.test(word));
const folder = mkdtempSync(join(tmpdir(), 'typebadge-nodes-'));
const rows: string[] = [];
try {
  checkRefusal();
  for (const line of wanted.length === 0 ? supported : wanted) {
    const { version, bin } = fetchNode(line);
    console.log(`\nNode ${version}`);
    rows.push(`| ${version} | ${runSuite(line, bin).join(' | ')} |`);
  }
  console.log('\n| Node | tests passed | failed | left out | seconds |\n| --- | ---: | ---: | ---: | ---: |');
  console.log(rows.join('\n'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Fetches the newest release of a line, such as 22. Nothing is installed: `bin` holds the program, and nothing else. */
function fetchNode(line: number): { readonly version: string; readonly bin: string } {
  const home = join(folder, `node-${line}`);
  mkdirSync(home);
  // The program of one platform comes in a package of its own, which needs no install script.
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  // A range names many releases.
  const list = JSON.parse(String(execFileSync('npm', ['view', `${name}@${line}`, 'version', '--json'])));
  const releases = ([list].flat() as string[]).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  execFileSync('npm', ['pack', '--silent', `${name}@${releases.at(-1)}`, '--pack-destination', home]);
  const archive = readdirSync(home).find((file) => file.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', archive], { cwd: home });
  const bin = join(home, 'package', 'bin');
  return { version: String(execFileSync(join(bin, 'node'), ['--version'])).trim(), bin };
}

/** On a Node that is too old, the program says so in one sentence and fails. */
function checkRefusal(): void {
  const { version, bin } = fetchNode(tooOld);
  const program = packageFile('bin', 'typebadge.js');
  const { status, stdout, stderr } = spawnSync(join(bin, 'node'), [program, '--version']);
  const sentence = `typebadge needs Node.js 20.19 or newer; this is ${version}.\n`;
  if (status !== 1 || String(stdout) !== '' || String(stderr) !== sentence)
    throw new Error(`Node ${version} should be refused in one sentence, but said:\n${stdout}${stderr}`);
  console.log(`Node ${version} is refused: ${sentence.trim()}`);
}

/** Installs a clone and runs its suite: tests passed, failed and left out, and seconds. */
function runSuite(line: number, bin: string): readonly number[] {
  const clone = join(folder, `clone-${line}`);
  execFileSync('git', ['clone', '--quiet', packageRoot, clone]);
  // Every process that is started below finds this Node first.
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
  const npm = (...args: string[]) =>
    spawnSync('npm', args, { cwd: clone, env, stdio: ['ignore', 'inherit', 'inherit'], timeout: maxTime })
      .status;
  if (npm('ci', '--prefer-offline', '--no-audit') !== 0) throw new Error('npm ci failed.');
  const start = performance.now();
  const report = join(folder, `suite-${line}.json`);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile=${report}`];
  if (npm('test', '--', ...files, ...reporters) !== 0) process.exitCode = 1;
  const seconds = Math.round((performance.now() - start) / 1000);
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(clone, { recursive: true, force: true });
  return [numPassedTests, numFailedTests, numPendingTests, seconds];
}
