// Measures what the arguments name, or everything, and writes the report to a file that git ignores.
import { execFileSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { packageFile } from '../../src/kit/package-files.ts';
import { describeMachine, readLoad } from './machine.ts';
import { type Report, toAimTable } from './report.ts';

const reportFile = packageFile('test', 'bench', 'report.md');

interface Section {
  readonly title: string;
  readonly run: () => Promise<Report>;
}

/** Every measurement by its name. */
const sections: Readonly<Record<string, Section>> = {
  'start-up': {
    title: 'Start-up',
    run: async () => (await import('./start-up.ts')).benchStartUp(15),
  },
  'badge-server': {
    title: 'The badge service beside its peers',
    run: async () => (await import('./badge-server.ts')).benchBadgeServer({ rounds: 15, seconds: 1 }),
  },
  'typing-api': {
    title: 'The typing API beside its peers',
    run: async () => (await import('./typing-api.ts')).benchTypingApi({ rounds: 15, seconds: 1 }),
  },
  repeats: {
    title: 'Another client while somebody repeats inputs',
    run: async () => (await import('./repeats.ts')).benchRepeats(5),
  },
  attacks: {
    title: 'Another client while somebody attacks, beside Fastify with its defaults',
    run: async () => (await import('./attacks.ts')).benchAttacks(150),
  },
  growth: {
    title: 'How a start and memory grow with finished rounds',
    run: async () => (await import('./growth.ts')).benchGrowth(5),
  },
  store: {
    title: 'The typing API on a store that servers share',
    run: async () => (await import('./store.ts')).benchStore(3),
  },
  adaptation: {
    title: 'How the choice of words adapts',
    run: async () => (await import('./adaptation.ts')).benchAdaptation(2),
  },
  'first-paint': {
    title: 'What the tag does to the first paint of a page',
    run: async () => (await import('./first-paint.ts')).benchFirstPaint(20),
  },
  play: {
    title: 'The terminal client',
    run: async () => (await import('./play-latency.ts')).benchPlay(3),
  },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in sections));
if (unknown.length > 0) {
  console.error(
    `No measurement is called ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}.`,
  );
  process.exitCode = 2;
} else {
  await print(`${describeMachine()}

A figure is a median; "± %" is half the distance between the quartiles, in percent of the median. Peers run in the same run, in
turn with ours, and a ratio is the median of the ratios of the rounds: it says more about other machines than a figure.`);
  for (const name of asked.length === 0 ? Object.keys(sections) : asked) {
    const { title, run } = sections[name] as Section;
    const time = new Date().toISOString().slice(0, 16).replace('T', ' ');
    const when = `Measured at ${time} UTC, of commit ${readCommit()}; load of the machine before: ${readLoad()}.`;
    const { text, aims } = await run();
    await print([`## ${title}`, when, text, ...(aims.length === 0 ? [] : [toAimTable(aims)])].join('\n\n'));
  }
}

async function print(text: string): Promise<void> {
  console.log(`${text}\n`);
  await appendFile(reportFile, `${text}\n\n`);
}

function readCommit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: packageFile() }).toString().trim();
}
