import { pathToFileURL } from 'node:url';
import { readWordList } from '../../src/server/typing/library/word-list.ts';
import { toLetterBias } from '../../src/typing/choice/letter-bias.ts';
import { createRandom } from '../../src/typing/choice/random.ts';
import { createWordChooser } from '../../src/typing/choice/word-choice.ts';
import { english } from '../../src/typing/letters/language.ts';
import { backspaceKey, spaceKey } from '../../src/typing/rules/key.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { chaptersOf, foldRounds, newHistory } from '../../src/typing/statistics/history.ts';
import { type Report, toRatio, toTable } from './report.ts';
import { median } from './statistics.ts';

/** A simulated typist: misses 3 % of all keys and 15 % of the weak ones, and takes 1.5 times as long for those. */
interface Typist {
  readonly weak: string;
  readonly seed: number;
}

const chooseWords = createWordChooser(readWordList());
const alphabet = 'abcdefghijklmnopqrstuvwxyz';

function type(words: readonly string[], { weak }: Typist, random: () => number, id: string): FinishedRound {
  const keys: string[] = [];
  const seekTimes: number[] = [];
  const press = (key: string, ms: number) => {
    keys.push(key);
    seekTimes.push(Math.round(ms));
  };
  for (const word of words) {
    for (const letter of word) {
      const isWeak = weak.includes(letter);
      const ms = (140 + 80 * random()) * (isWeak ? 1.5 : 1);
      if (random() < (isWeak ? 0.15 : 0.03)) {
        press(letter === 'x' ? 'c' : 'x', ms);
        press(backspaceKey, 120);
      }
      press(letter, ms);
    }
    press(spaceKey, 100);
  }
  const duration = seekTimes.reduce((sum, ms) => sum + ms, 0);
  return { id, words, keys, seekTimes, timing: { start: 0, end: duration, duration } };
}

/** The letters of each round, one round after the other, as this typist meets them. */
function practise(typist: Typist, rounds: number, isAdaptive: boolean): string[] {
  const random = createRandom(typist.seed);
  const met: string[] = [];
  let history = newHistory();
  for (let round = 0; round < rounds; round += 1) {
    const seed = Math.floor(random() * 2 ** 32);
    const words = chooseWords(
      isAdaptive ? { seed, bias: toLetterBias(chaptersOf(history), english.alphabet) } : { seed },
    );
    history = foldRounds(history, [type(words, typist, random, `${round}`)]);
    met.push(words.join(''));
  }
  return met;
}

function share(text: string, letters: string): number {
  return [...text].filter((letter) => letters.includes(letter)).length / text.length;
}

/** Rounds until every letter has been met at least once. */
function roundsToAll(met: readonly string[]): number {
  const missing = new Set(alphabet);
  for (const [round, text] of met.entries()) {
    for (const letter of text) missing.delete(letter);
    if (missing.size === 0) return round + 1;
  }
  return Number.POSITIVE_INFINITY;
}

const weaknesses = ['q', 'z', 'b', 'k', 'p', 'e', 'xv', 'bn', 'rt', 'qaz', 'pol', ''];

/** How the choice of words answers to known weaknesses, against a uniform choice from the same list. */
export async function benchAdaptation(typists: number): Promise<Report> {
  const results = weaknesses.map((weak) => {
    const gains: number[] = [];
    const completions: number[] = [];
    const adaptiveTexts: string[] = [];
    const uniformTexts: string[] = [];
    for (let seed = 1; seed <= typists; seed += 1) {
      const adaptive = practise({ weak, seed }, 40, true);
      const uniform = practise({ weak, seed }, 40, false);
      const later = (met: readonly string[]) => met.slice(20).join('');
      gains.push(share(later(adaptive), weak) / share(later(uniform), weak));
      completions.push(roundsToAll(adaptive));
      adaptiveTexts.push(later(adaptive));
      uniformTexts.push(later(uniform));
    }
    const [all, plain] = [adaptiveTexts.join(''), uniformTexts.join('')];
    const rarest = Math.min(...[...alphabet].map((letter) => share(all, letter) / share(plain, letter)));
    return { weak, gain: median(gains), least: Math.min(...gains), toAll: Math.max(...completions), rarest };
  });
  const rows = results.map(({ weak, gain, least, toAll, rarest }) => [
    weak === '' ? 'none' : [...weak].join(', '),
    weak === '' ? '' : toRatio(gain),
    weak === '' ? '' : toRatio(least),
    String(toAll),
    toRatio(rarest),
  ]);
  const header = ['weak letters', 'met', 'least', 'rounds to a–z, most', 'rarest letter'];
  const text = [
    `${typists} simulated typists each, 40 rounds. "Met": how often the weak letters come in rounds 21 to 40, against a uniform choice.`,
    '"Rarest letter": the least that any letter comes, against a uniform choice.\n',
    toTable(header, rows),
  ].join('\n');
  const gains = results.filter(({ weak }) => weak !== '').map(({ gain }) => gain);
  const completions = results.map(({ toAll }) => toAll);
  return {
    text,
    aims: [
      { what: 'weak letters met, of a uniform choice', value: Math.min(...gains), unit: '×', atLeast: 1.5 },
      { what: 'rounds until every letter was met', value: Math.max(...completions), unit: '', atMost: 30 },
    ],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log((await benchAdaptation(Number(process.argv[2] ?? 20))).text);
}
