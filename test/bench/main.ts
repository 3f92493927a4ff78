// Measures everything and writes BENCHMARKS.md; with names of measurements as arguments, measures and replaces those.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { packageFile } from '../../src/kit/package-files.ts';
import { describeMachine, readLoad } from './machine.ts';
import { type Report, toAimTable } from './report.ts';

const reportFile = packageFile('BENCHMARKS.md');

interface Section {
  readonly title: string;
  /** What keeps the figures from being better. */
  readonly limit: string;
  readonly run: () => Promise<Report>;
}

/** Every measurement by its name; each is a program of its own as well. */
const sections: Readonly<Record<string, Section>> = {
  'start-up': {
    title: 'Start-up',
    limit:
      'Loading modules: Node itself, then our own and, for play, undici; docs/performance.md has the shares.',
    run: async () => (await import('./start-up.ts')).benchStartUp(15),
  },
  'badge-server': {
    title: 'The badge service beside its peers',
    limit:
      'node:http itself, which nginx leaves behind with any program in it; half of the time is the writing of the kernel. Our own part is the line in microseconds above; the rest is the price of reading headers and writing more of them by node:http. Where neighbours share the machine, the ratio to bare node:http moves by a tenth from one run to the next.',
    run: async () => (await import('./badge-server.ts')).benchBadgeServer({ rounds: 15, seconds: 1 }),
  },
  'typing-api': {
    title: 'The typing API beside its peers',
    limit:
      'One request a key: node:http and the parsing of the body cost several times what the game does, which is why clients that are behind send batches.',
    run: async () => (await import('./typing-api.ts')).benchTypingApi({ rounds: 15, seconds: 1 }),
  },
  repeats: {
    title: 'Another client while somebody repeats inputs',
    limit: 'Reading and checking the batches: an answer that was given before costs a look.',
    run: async () => (await import('./repeats.ts')).benchRepeats(5),
  },
  attacks: {
    title: 'Another client while somebody attacks, beside Fastify with its defaults',
    limit:
      'node:http parses what arrives before anybody can refuse it; what floods a socket is for the proxy in front.',
    run: async () => (await import('./attacks.ts')).benchAttacks(150),
  },
  https: {
    title: 'Through a web server that ends TLS',
    limit: 'The handshake: keys are agreed upon for each connection, which is why browsers keep theirs.',
    run: async () => (await import('./https.ts')).benchHttps(200),
  },
  growth: {
    title: 'How cost grows with the amount of everything',
    limit:
      'Announcements are checked and printed anew at a start, and sessions are read; rounds come from a snapshot, and only those after it are read.',
    run: async () => (await import('./growth.ts')).benchGrowth(5),
  },
  store: {
    title: 'The typing API on a store that servers share',
    limit:
      'The way to the store and back for each key. Two cores carry the load, the servers and the engine together, so the number of keys does not grow with the number of servers here.',
    run: async () => (await import('./store.ts')).benchStore(3),
  },
  'typing-figures': {
    title: 'The typing API with much of everything',
    limit:
      'A session keeps its words, its keys and their times until it ends; the start reads and checks the whole journal once, the history is kept added up.',
    run: async () => (await import('./typing-figures.ts')).benchTypingFigures(7),
  },
  'engine-cost': {
    title: 'What the engine takes of the processor',
    limit:
      'A key makes a new round beside the old one, which stays as it is; the choice of words weighs every word of the language for this typist.',
    run: async () => (await import('./engine-cost.ts')).benchEngineCost(),
  },
  adaptation: {
    title: 'How the choice of words adapts',
    limit:
      'The word list: a rare letter comes with the words that hold it, and the choice must not starve any other letter for it.',
    run: async () => (await import('./adaptation.ts')).benchAdaptation(2),
  },
  'practice-gains': {
    title: 'What practice gains, in a simulation',
    limit:
      'The model: every pair of letters is learned by itself, so what is practised is all that gets better. People also learn what is alike.',
    run: async () => (await import('./practice-gains.ts')).benchPracticeGains(5),
  },
  'first-paint': {
    title: 'What the tag does to the first paint of a page',
    limit: 'Nothing to be seen: the script waits for the page to have loaded.',
    run: async () => (await import('./first-paint.ts')).benchFirstPaint(20),
  },
  play: {
    title: 'The terminal client',
    limit:
      'Reading the key, finding the cells that differ, and the requests to the server; docs/performance.md has the shares. The time stamp is taken before that, in a thread of its own, so drawing does not touch what is measured.',
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
  await measure(asked.length === 0 ? Object.keys(sections) : asked);
}

async function measure(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const section = sections[name] as Section;
    const load = readLoad();
    const report = await section.run();
    const text = toSection(section, report, load);
    console.log(text);
    await putSection(section.title, text);
  }
}

function toSection({ title, limit }: Section, { text, aims }: Report, load: string): string {
  const time = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `## ${title}

Measured at ${time} UTC, of commit ${readCommit()}; load of the machine before: ${load}.

${text}

${aims.length === 0 ? '' : `${toAimTable(aims)}\n\n`}What limits it: ${limit}
`;
}

/** The report with this section in its place; those of other measurements stay as they are. */
async function putSection(title: string, text: string): Promise<void> {
  const before = await readFile(reportFile, 'utf8').catch(() => '');
  const known = new Map(before.split(/^(?=## )/m).map((part) => [/^## (.*)$/m.exec(part)?.[1], part]));
  known.set(title, text);
  const parts = Object.values(sections).flatMap((section) => known.get(section.title)?.trimEnd() ?? []);
  await writeFile(reportFile, `${toIntroduction()}\n\n${parts.join('\n\n')}\n`);
}

function toIntroduction(): string {
  return `# Benchmarks

Written by \`npm run bench\`; \`npm run bench -- badge-server\` measures one chapter anew.

${describeMachine()}

Every figure is a median; "± %" is half the distance between the quartiles, in percent of the median. Peers run in
the same run, in turn with ours, and a ratio is the median of the ratios of the rounds. A figure says something about one
machine, and this one is a virtual one whose neighbours can be felt; a ratio travels further.`;
}

function readCommit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: packageFile() }).toString().trim();
}
