import { pathToFileURL } from 'node:url';
import { openLibrary } from '../../src/server/typing/library.ts';
import { createRandom } from '../../src/typing/choice/random-draw.ts';
import type { Mode } from '../../src/typing/modes/mode.ts';
import { newLearner } from '../typing/learner.ts';
import { newTypist, startCourse } from '../typing/simulated-typist.ts';
import { type Report, toTable } from './report.ts';
import { median } from './statistics.ts';

const library = openLibrary();
/** Blocks of practice: one round of words, by which the typist is known, and four of the mode. */
const [blocks, drillsInBlock] = [6, 4];
const languages = ['en', 'de', 'ru'];
const words: Mode = { type: 'words', count: 30 };
const practised: readonly { readonly name: string; readonly mode: Mode; readonly isBlind?: boolean }[] = [
  { name: 'even practice', mode: words, isBlind: true },
  { name: 'words', mode: words },
  { name: 'drill letters', mode: { type: 'drill', on: 'letters' } },
  { name: 'drill bigrams', mode: { type: 'drill', on: 'bigrams' } },
];

/** A tenth of the pairs begins far slower than the others. */
function toStart(seed: number): (pair: string) => number {
  const starts = new Map<string, number>();
  const random = createRandom(seed);
  return (pair) => {
    const start = starts.get(pair) ?? (random() < 0.1 ? 500 : 80 + 80 * random());
    starts.set(pair, start);
    return start;
  };
}

/** Milliseconds a letter that practice saves in ordinary words, by every way of practising. */
function measureTypist(language: string, seed: number): number[] {
  const ordinary = startCourse(library, newTypist(), 999, true).play({ language }, 60).flat();
  return practised.map(({ mode, isBlind = false }) => {
    const learner = newLearner(toStart(seed));
    // Everybody begins the same, whatever is asked first.
    const before = learner.averageOf(ordinary);
    const course = startCourse(library, learner, seed, isBlind);
    for (let block = 0; block < blocks; block++) {
      course.play({ language }, 1);
      course.play({ language, mode }, drillsInBlock);
    }
    return before - learner.averageOf(ordinary);
  });
}

/** What practice gains in a simple model of learning, by mode, against words that chance chooses. */
export async function benchPracticeGains(typists: number): Promise<Report> {
  const all = languages.flatMap((language) =>
    Array.from({ length: typists }, (_, at) => measureTypist(language, at + 1)),
  );
  const gains = practised.map((_, at) => median(all.map((each) => each[at] as number)));
  const ratios = practised.map((_, at) =>
    median(all.map((each) => (each[at] as number) / (each[0] as number))),
  );
  const text = [
    `Simulation, no measurement of people: ${all.length} simulated typists (${languages.join(', ')}), ${blocks * (1 + drillsInBlock)} rounds each. Every pair of letters gets faster by the power law of practice (exponent 0.5); a tenth of the pairs begins three to five times as far from its best. Measured is the time of a letter in ordinary words, before and after.`,
    toTable(
      ['practice', 'ms a letter gained', 'of even practice'],
      practised.map(({ name }, at) => [
        name,
        (gains[at] as number).toFixed(1),
        `${(ratios[at] as number).toFixed(2)} ×`,
      ]),
    ),
  ].join('\n\n');
  return {
    text,
    aims: [
      {
        what: 'gain of the drill on bigrams, of even practice (simulated)',
        value: ratios.at(-1) as number,
        unit: '×',
        atLeast: 1,
      },
    ],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await benchPracticeGains(Number(process.argv[2] ?? 5))).text);
}
