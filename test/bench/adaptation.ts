import { languageOf } from '../../src/server/stores/languages.ts';
import { openLibrary } from '../../src/server/typing/library.ts';
import { frequencyOf } from '../typing/simulated-typist.ts';
import { answersOf, drawChance, playAnswer, weaknessesOf } from '../typing/weaknesses.ts';
import { type Report, toRatio, toTable } from './report.ts';
import { median } from './statistics.ts';

const library = openLibrary();
/** Rounds of a mode for each typist, and rounds that show what chance brings. */
const rounds = 20;
const chanceRounds = 500;
/** Letters that chance brings less often than this in the rounds of a mode are too rare to be told starved. */
const enough = 50;

/** How often a part came, in parts of what chance brings. */
interface Gain {
  readonly ratio: number;
  /** Half of its 95 % interval, as the number of times that the part came gives it. */
  readonly error: number;
}

interface Measured {
  readonly mode: string;
  readonly language: string;
  /** Of each weak part. */
  readonly gains: readonly Gain[];
  /** The same of the letter that suffered most. */
  readonly rarest: number;
}

function measureMode(
  language: string,
  chance: string[][],
  [mode, answer]: [string, ReturnType<typeof answersOf>[string]],
  typists: number,
): Measured {
  const met = Array.from({ length: typists }, (_, at) =>
    playAnswer(library, language, answer, rounds, at + 1),
  ).flat();
  const gains = answer.parts.map((part) => toGain(part, met, chance));
  const letters = [...languageOf(language).alphabet].filter(
    (letter) => frequencyOf(letter, chance) * met.flat().join('').length >= enough,
  );
  const rarest = Math.min(...letters.map((letter) => frequencyOf(letter, met) / frequencyOf(letter, chance)));
  return { mode, language, gains, rarest };
}

function toGain(part: string, met: string[][], chance: string[][]): Gain {
  const [mine, expected] = [met, chance].map((rounds) => rounds.flat().join('').length) as [number, number];
  const times = frequencyOf(part, met) * mine;
  // A word of thousands may never come by chance: then once is the most that can be said.
  const byChance = Math.max(1, frequencyOf(part, chance) * expected);
  const ratio = times / mine / (byChance / expected);
  return { ratio, error: 1.96 * ratio * Math.sqrt(1 / Math.max(1, times) + 1 / byChance) };
}

const leastOf = (gains: readonly Gain[]) => gains.reduce((a, b) => (b.ratio < a.ratio ? b : a));

/** What each mode chooses for a weakness that is known, against chance, in every language. Simulated typists. */
export async function benchAdaptation(typists: number): Promise<Report> {
  const measured = library.languages().flatMap(({ id }) => {
    const chance = drawChance(library, id, chanceRounds, 99);
    return Object.entries(answersOf(weaknessesOf(library, id))).map((entry) =>
      measureMode(id, chance, entry, typists),
    );
  });
  const modes = [...new Set(measured.map(({ mode }) => mode))];
  const rows = modes.map((mode) => {
    const own = measured.filter((each) => each.mode === mode);
    const gains = own.flatMap((each) => each.gains);
    const worst = own.reduce((a, b) => (leastOf(b.gains).ratio < leastOf(a.gains).ratio ? b : a));
    const rarest = Math.min(...own.map((each) => each.rarest));
    return {
      mode,
      gain: median(gains.map(({ ratio }) => ratio)),
      least: leastOf(worst.gains),
      where: worst.language,
      rarest,
    };
  });
  const text = [
    `Simulation, no measurement of people: ${typists} simulated typists in each of ${library.languages().length} languages, weak at three letters (1.7 times as slow), three pairs (2.3 times) or three words (every second letter wrong). ${rounds} rounds each, after 25 of words that showed it.`,
    '"Least": of all parts and languages, with the 95 % interval that the number of times it came gives. "Rarest letter": the least that any letter comes, of those that chance brings often enough to tell.\n',
    toTable(
      ['of what chance brings', 'weak parts, median', 'least', 'in', 'rarest letter'],
      rows.map(({ mode, gain, least, where, rarest }) => [
        mode,
        toRatio(gain),
        `${toRatio(least.ratio)} ± ${least.error.toFixed(2)}`,
        where,
        toRatio(rarest),
      ]),
    ),
  ].join('\n');
  return {
    text,
    aims: [
      {
        what: 'any weak letter, pair or word, of chance',
        value: Math.min(...rows.map(({ least }) => least.ratio)),
        unit: '×',
        atLeast: 1.5,
      },
      {
        what: 'any letter, of chance',
        value: Math.min(...rows.map(({ rarest }) => rarest)),
        unit: '×',
        atLeast: 0.2,
      },
    ],
  };
}
