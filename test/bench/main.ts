import { cpus } from 'node:os';

/** Every measurement by its name; each is a program of its own as well. */
const sections: Readonly<Record<string, { readonly title: string; readonly run: () => Promise<string> }>> = {
  'start-up': {
    title: 'Start-up',
    run: async () => (await import('./start-up.ts')).benchStartUp(15),
  },
  'badge-server': {
    title: 'The badge service beside its peers',
    run: async () => (await import('./badge-server.ts')).benchBadgeServer({ rounds: 5, seconds: 3 }),
  },
  'typing-api': {
    title: 'The typing API beside its peers',
    run: async () => (await import('./typing-api.ts')).benchTypingApi({ rounds: 5, seconds: 3 }),
  },
  'typing-figures': {
    title: 'The typing API with much of everything',
    run: async () => (await import('./typing-figures.ts')).benchTypingFigures(7),
  },
  adaptation: {
    title: 'How the choice of words adapts',
    run: async () => (await import('./adaptation.ts')).benchAdaptation(20),
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
  console.log(`Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`);
  for (const [name, { title, run }] of Object.entries(sections)) {
    if (asked.length === 0 || asked.includes(name)) console.log(`\n## ${title}\n\n${await run()}`);
  }
}
