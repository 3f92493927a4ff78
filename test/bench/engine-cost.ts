import { pathToFileURL } from 'node:url';
import { languageOf } from '../../src/server/stores/languages.ts';
import { parseRoundLine, roundLine, type StoredRound } from '../../src/server/stores/stored-round.ts';
import { openLibrary } from '../../src/server/typing/library.ts';
import { createRandom } from '../../src/typing/choice/random-draw.ts';
import type { Mode } from '../../src/typing/modes/mode.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { roundText } from '../../src/typing/modes/round-text.ts';
import { newRound, reduceRound } from '../../src/typing/round.ts';
import { newInput } from '../../src/typing/round-input.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import { foldRounds, type History, newHistory } from '../../src/typing/statistics/history.ts';
import { newStoredRound, toRoundId } from '../server/stores/stored-rounds.ts';
import { type FirstEngine, loadFirstEngine } from './first-engine.ts';
import { type Report, toCount, toTable } from './report.ts';
import { median, medianRatio } from './statistics.ts';

const rounds = 10_000;
/** Rounds typed by hand, so to speak; the history holds each of them many times, under ids of their own. */
const kinds = 100;
const modes: readonly (Mode & { readonly name: string })[] = [
  { name: 'words', type: 'words', count: 30 },
  { name: 'time', type: 'time', seconds: 60 },
  { name: 'letters', type: 'drill', on: 'letters' },
  { name: 'bigrams', type: 'drill', on: 'bigrams' },
  { name: 'troubled words', type: 'drill', on: 'words' },
  { name: 'guided', type: 'guided' },
];

const library = openLibrary();

/** Milliseconds of processor time, of which a loaded machine takes none. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function typeRounds(language: string): StoredRound[] {
  const random = createRandom(7);
  const practice = { ...defaultPractice, language };
  return Array.from({ length: kinds }, (_, number) => {
    const { words } = roundText(practice, library.materialOf(practice, number, newHistory()));
    // Every sixteenth decision of the typist is any at all, the others are right keys at changing speed.
    const tape = Array.from({ length: 160 }, () => {
      const decision = Math.floor(random() * 100_000);
      return random() < 1 / 16 ? decision : decision - (decision % 100);
    });
    return { ...newStoredRound(toRoundId(number), words.map(wordText), tape), language };
  });
}

function readJournal(lines: readonly string[]): { history: History; parsing: number; folding: number } {
  let history = newHistory();
  let all: StoredRound[] = [];
  const parsing = cpuOf(() => {
    all = lines.flatMap((line) => parseRoundLine(line) ?? []);
  });
  const folding = cpuOf(() => {
    for (let at = 0; at < all.length; at += 100)
      history = foldRounds(history, all.slice(at, at + 100), languageOf);
  });
  return { history, parsing, folding };
}

/** One engine at work: what it makes of a round's words and keys, again and again. */
type Typist = (round: StoredRound) => () => void;

const typeNow: Typist = ({ words, keys, seekTimes }) => {
  const start = newRound('r', words);
  const inputs = keys.map((key, at) => newInput(key, seekTimes[at], at + 1));
  return () => {
    let round = start;
    for (const input of inputs) {
      const reduction = reduceRound(round, input);
      if ('problem' in reduction) throw new Error(reduction.problem.message);
      round = reduction.round;
    }
  };
};

function typistOf(engine: FirstEngine): Typist {
  return ({ words, keys, seekTimes }) => {
    const start = engine.newRound('r', words.map(wordText), false);
    const inputs = keys.map((key, at) => engine.newInput(key, seekTimes[at], at + 1));
    return () => {
      let round = start;
      for (const input of inputs) {
        const reduction = engine.reduceRound(round, input);
        if ('problem' in reduction) throw new Error('version 1 refuses what is typed now');
        round = reduction.round;
      }
    };
  };
}

/** Microseconds for one key, numbered, as a client sends it: for each engine, in turn with the others. */
function costsOfKey(typed: readonly StoredRound[], typists: readonly Typist[]): number[][] {
  const jobs = typists.map((typist) => typed.map(typist));
  const keys = typed.reduce((sum, { keys: own }) => sum + own.length, 0);
  const repeats = 20;
  const turns = Array.from({ length: 9 }, () =>
    jobs.map((job) =>
      cpuOf(() => {
        for (let again = 0; again < repeats; again++) for (const type of job) type();
      }),
    ),
  );
  return typists.map((_, at) => turns.map((turn) => (1000 * (turn[at] as number)) / (keys * repeats)));
}

/** Milliseconds for the words of one round, for a player with a long history. */
function costOfChoice(language: string, mode: Mode, history: History): number {
  const practice = { ...defaultPractice, language, mode };
  const repeats = 20;
  const times = Array.from({ length: 7 }, (_, turn) =>
    cpuOf(() => {
      for (let seed = 0; seed < repeats; seed++)
        roundText(practice, library.materialOf(practice, seed + turn * repeats, history));
    }),
  );
  return median(times) / repeats;
}

/** The choice of words in these languages, after a long history in each. */
function measureChoices(languages: readonly string[]): { language: string; costs: number[] }[] {
  return languages.map((language) => {
    const typed = typeRounds(language);
    const history = foldRounds(
      newHistory(),
      Array.from({ length: rounds }, (_, at) => typed[at % kinds] as StoredRound),
      languageOf,
    );
    return { language, costs: modes.map((mode) => costOfChoice(language, mode, history)) };
  });
}

/**
 * What the engine takes of the processor: keys, beside version 1 in the same run, the reading of a long history, and the choice
 * of words after it.
 */
export async function benchEngineCost(
  languages: readonly string[] = library.languages().map(({ id }) => id),
): Promise<Report> {
  const english = typeRounds('en');
  const lines = Array.from({ length: rounds }, (_, at) =>
    roundLine({ ...(english[at % kinds] as StoredRound), id: toRoundId(at) }),
  );
  const readings = Array.from({ length: 5 }, () => readJournal(lines));
  const parsing = median(readings.map((each) => each.parsing));
  const folding = median(readings.map((each) => each.folding));
  const first = await loadFirstEngine();
  const [now = [], before] = costsOfKey(english, [typeNow, ...(first ? [typistOf(first)] : [])]);
  const choices = measureChoices(languages);
  const text = [
    toTable(
      ['processor time', ''],
      [
        ['one key, µs', median(now).toFixed(2)],
        ['the same in version 1, which kept no score, µs', before ? median(before).toFixed(2) : 'no history'],
        [`parsing ${toCount(rounds)} rounds, ms`, parsing.toFixed(0)],
        [`folding ${toCount(rounds)} rounds, ms`, folding.toFixed(0)],
      ],
    ),
    toTable(
      [`choice of words after ${toCount(rounds)} rounds, ms`, ...modes.map(({ name }) => name)],
      choices.map(({ language, costs }) => [language, ...costs.map((cost) => cost.toFixed(2))]),
    ),
  ].join('\n\n');
  const slowest = Math.max(...choices.flatMap(({ costs }) => costs));
  return {
    text,
    aims: [
      { what: `choice of words after ${toCount(rounds)} rounds`, value: slowest, unit: 'ms', atMost: 2 },
      ...(before
        ? [{ what: 'a key, of version 1', value: medianRatio(now, before), unit: '×', atMost: 1 }]
        : []),
    ],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const languages = process.argv.slice(2);
  console.log((await benchEngineCost(languages.length > 0 ? languages : undefined)).text);
}
