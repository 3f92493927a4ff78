// Measures what the arguments name, or everything, and writes the report to a file that git ignores.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { arch, cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../src/kit/package-files.ts';
import { aimTable, type Report } from './report.ts';

/** Every measurement by its name. */
const sections: Readonly<Record<string, () => Promise<Report>>> = {
  'start-up': async () => (await import('./start-up.ts')).benchStartUp(15),
  'badge-server': async () => (await import('./badge-server.ts')).benchBadgeServer(15),
  'typing-api': async () => (await import('./typing-api.ts')).benchTypingApi(15),
  repeats: async () => (await import('./attacks.ts')).benchRepeats(5),
  attacks: async () => (await import('./attacks.ts')).benchAttacks(5),
  growth: async () => (await import('./start-up.ts')).benchGrowth(5),
  store: async () => (await import('./store.ts')).benchStore(3),
  'first-paint': async () => (await import('./first-paint.ts')).benchFirstPaint(20),
  play: async () => (await import('./play.ts')).benchPlay(3),
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in sections));
if (unknown.length > 0) {
  const all = Object.keys(sections).join(', ');
  console.error(`No measurement is called ${unknown.join(', ')}; there are ${all}.`);
  process.exit(2);
}
// Everything that is written for a measurement is below it, and goes with it.
process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'typebadge-bench-'));
chmodSync(process.env.TMPDIR, 0o755); // the worker of nginx gives up the rights of root
process.once('exit', () => rmSync(process.env.TMPDIR as string, { recursive: true, force: true }));

print(`${cpus().length} × ${cpus()[0]?.model.trim()} (${arch()}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, \
${process.platform} ${release()}, Node.js ${process.version}.

A figure is a median; "± %" is half the distance between the quartiles, in percent of the median. Peers run in the same
run, in turn with ours, and a ratio is the median of the ratios of the rounds: it says more about other machines than a
figure.`);
for (const name of named.length === 0 ? Object.keys(sections) : named) {
  const [load] = readFileSync('/proc/loadavg', 'utf8').split(' ');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: packageFile() });
  const when = `${new Date().toISOString()}, commit ${String(commit).trim()}; load of the machine before: ${load}.`;
  const { text, aims } = await (sections[name] as () => Promise<Report>)();
  print([`## ${name}`, when, text, ...(aims.length === 0 ? [] : [aimTable(aims)])].join('\n\n'));
}
process.exit();

function print(text: string): void {
  console.log(`${text}\n`);
  appendFileSync(packageFile('test', 'bench', 'report.md'), `${text}\n\n`);
}
