import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { SessionStatistics } from '../../../src/contract/statistics-types.ts';
import { serverNotWanted } from '../../../src/tui/link/delivery/delivery-state.ts';
import type { Options } from '../../../src/tui/record/options.ts';
import type { RoundRecord } from '../../../src/tui/record/round-line.ts';
import { toRoundRecord } from '../../../src/tui/record/round-record.ts';
import { type Practised, usualPractised } from '../../../src/tui/round/practised.ts';
import { newLocalRound } from '../../../src/tui/round/round.ts';
import { reduceLocalRound } from '../../../src/tui/round/round-actions.ts';
import { createStage } from '../../../src/tui/screens/stage.tsx';
import { type App, finishRound, type RoundOutcome } from '../../../src/tui/state/app-state.ts';
import { newHistoryView } from '../../../src/tui/state/history-view.ts';
import { optionRows } from '../../../src/tui/state/option-rows.ts';
import type { Size } from '../../../src/tui/terminal/size.ts';
import { toDayReport } from '../../../src/tui/trend/one-day.ts';
import { type Kind, type ProgressReport, toReport } from '../../../src/tui/trend/report.ts';
import { defaultRules } from '../../../src/typing/rules/rules.ts';
import { press, typeText } from '../round/round-picture.ts';
import { createEmulator } from '../terminal/emulator.ts';
import { history, historyApp, resultsApp, typeSample, typingApp, words } from './sample.ts';

/** The characters that a terminal of that size shows. */
async function draw(app: App, { columns, rows }: Size = { columns: 80, rows: 24 }): Promise<string> {
  const emulator = createEmulator({ columns, rows });
  const stage = createStage(emulator, { depth: 8, onError: fail });
  stage.draw({ ...app, size: stage.resize({ columns, rows }) });
  const screen = await emulator.screen();
  stage.close();
  return `${screen}\n`;
}

function fail(error: unknown): never {
  throw error;
}

const midway = 'lobster paxrs m ';
const small: Size = { columns: 40, rows: 12 };
const wide: Size = { columns: 120, rows: 40 };
const large: Size = { columns: 200, rows: 60 };

const resume: App = {
  ...typingApp(''),
  screen: 'resume',
  leftRound: {
    unsent: {
      path: '',
      head: {
        session: 's',
        server: '',
        punctuation: false,
        words: [...words],
        rules: defaultRules,
        pid: 1,
        created: 0,
      },
      inputs: [],
      isOver: false,
      mayBeThere: false,
    },
    round: typingApp(midway).round ?? typeSample(),
  },
};

const skipping = { ...defaultRules, earlySpace: 'skip' } as const;

/** A pasted round: the server says so. */
function notCounted(options: Partial<Options> = {}): App {
  const app = resultsApp(options);
  const outcome = app.outcome as RoundOutcome;
  const statistics = {
    ...(outcome.statistics as SessionStatistics),
    standard_wpm: 2100,
    counts: false,
    counts_reason: 'too_fast',
  } as const;
  return { ...app, outcome: { ...outcome, statistics } };
}

/** The server has no counted round of this kind: a drill never is one. */
function drilled(
  on: 'bigrams' | 'words',
  options: Partial<Options> = {},
  pairs = ['ob', 'ri', 'zq', 'er', 'ta', 'on'],
): App {
  const app = notCounted(options);
  const outcome = app.outcome as RoundOutcome;
  const statistics = {
    ...(outcome.statistics as SessionStatistics),
    standard_wpm: 80,
    counts_reason: 'drill',
  } as const;
  const focus = pairs.map((text, at) => ({ text, ms: 290 - at * 40, targetMs: 101 }));
  const practised = { ...usualPractised, mode: { type: 'drill', on }, focus } as const;
  const nothing = {
    ...history,
    total_sessions: 0,
    best_standard_wpm: 0,
    error_patterns: [],
    rounds_not_counted: 3,
  };
  const round = { ...outcome.round, practised };
  return {
    ...app,
    history: nothing,
    outcome: { ...outcome, round, before: nothing, statistics, history: nothing },
  };
}

/** All letters were right so far: whatever else was wrong is not in these figures. */
function noWrongLetter(): App {
  const app = resultsApp();
  const outcome = app.outcome as RoundOutcome;
  return { ...app, outcome: { ...outcome, history: { ...history, error_patterns: [] } } };
}

function leftOut(): App {
  const app = resultsApp();
  const outcome = app.outcome as RoundOutcome;
  return { ...app, outcome: { ...outcome, score: { ...outcome.score, omitted: 12 } } };
}

function palette(query: string, options: Partial<Options> = {}): App {
  const catalog = {
    languages: [
      { id: 'en', name: 'English' },
      { id: 'de', name: 'Deutsch' },
    ],
    layouts: [{ id: 'colemak', name: 'Colemak' }],
  };
  const found = { query, row: query === '' ? 3 : 0, isSure: query === 'de' };
  return { ...typingApp(midway, options), catalog, screen: 'palette', palette: found };
}

const timed: App = (() => {
  const practised = { ...usualPractised, mode: { type: 'time', seconds: 60 }, language: 'de' } as const;
  const round = typeText(newLocalRound(words, skipping, practised), midway);
  return { ...typingApp(''), round, elapsed: 14_200 };
})();

function ofMode(mode: Practised['mode'], lines: readonly string[], typed: string): App {
  const lineEnds: number[] = [];
  const list = lines.flatMap((line, at) => {
    const before = lines.slice(0, at).join(' ').split(' ').filter(Boolean).length;
    lineEnds.push(before + line.split(' ').length - 1);
    return line.split(' ');
  });
  const round = typeText(newLocalRound(list, skipping, { ...usualPractised, mode, lineEnds }), typed);
  return { ...typingApp(''), round };
}

const codeLines = Array.from({ length: 24 }, (_, at) => `const value${at} = read(${at});`);
const code = ofMode(
  { type: 'code', language: 'typescript' },
  codeLines,
  `${codeLines.slice(0, 14).join(' ')} const valxe14 = read(14);`,
);
const indented: App = (() => {
  const practised: Practised = {
    ...usualPractised,
    mode: { type: 'code', language: 'python' },
    lineEnds: [1, 3, 6],
    indents: [0, 4, 8],
  };
  const list = ['def', 'points():', 'while', 'True:', 'yield', 'Point(x=0,', 'y=0)'];
  return { ...typingApp(''), round: typeText(newLocalRound(list, skipping, practised), 'def points(): whi') };
})();

const guided: App = (() => {
  const focus = [...'etaoin'].map((text, at) => ({
    text,
    ms: at === 5 ? null : 300 + at * 40,
    targetMs: 343,
  }));
  const practised: Practised = { ...usualPractised, mode: { type: 'guided' }, focus };
  return { ...typingApp(''), round: typeText(newLocalRound(words, skipping, practised), 'lob') };
})();

const bigrams: App = (() => {
  const focus = ['th', 'er', 'ou'].map((text, at) => ({ text, ms: 200 - at * 10, targetMs: 140 }));
  const practised: Practised = { ...usualPractised, mode: { type: 'drill', on: 'bigrams' }, focus };
  return { ...typingApp(''), round: typeText(newLocalRound(words, skipping, practised), 'lob') };
})();

const qwertz: App = (() => {
  const rows = ['qwertzuiopü+', 'asdfghjklöä#', '<yxcvbnm,.-', '^1234567890ß´'].map((row) => [...row]);
  const layout = { id: 'qwertz', name: 'QWERTZ', rows, fingers: { z: 6, ä: 9 } };
  const round = newLocalRound(['Zäh', 'und'], skipping, {
    ...usualPractised,
    layout: 'qwertz',
    language: 'de',
  });
  return { ...typingApp('', { keyboard: true }), catalog: { languages: [], layouts: [layout] }, round };
})();

const stopped = { ...defaultRules, stopOn: 'letter' } as const;

const ended: App = (() => {
  const limits = { suddenDeath: true, minWpm: 0, minAccuracy: 0 };
  const round = typeText(newLocalRound(words, skipping, { ...usualPractised, limits }), 'lobster pairs mx');
  return finishRound(typingApp(''), round, 0);
})();

const endedAtOnce: App = (() => {
  const limits = { suddenDeath: true, minWpm: 0, minAccuracy: 0 };
  const round = typeText(newLocalRound(words, skipping, { ...usualPractised, limits }), 'x');
  return finishRound(typingApp(''), round, 0);
})();

/** A history of drills only, and one without anything. */
const [onlyDrills, noRounds] = (['drill', undefined] as const).map((mode): App => {
  const drill: RoundRecord = { ...toRoundRecord(typeSample(), false), mode: 'drill-words', counts: false };
  const records = mode === undefined ? [] : [drill];
  return { ...historyApp(), report: toReport({ records, imported: [], damagedLines: 0 }, 'UTC') };
}) as [App, App];

/** A history of a few rounds, as a newcomer has it: most letters were met too rarely to compare. */
function fewRounds(count: number, options: Partial<Options> = {}): App {
  const records = Array.from({ length: count }, (_, at): RoundRecord => {
    const finished = new Date(Date.UTC(2026, 2, 1, 9, at)).toISOString();
    return { ...toRoundRecord(typeSample(), false), finished };
  });
  return { ...historyApp(options), report: toReport({ records, imported: [], damagedLines: 0 }, 'UTC') };
}

function onPage(app: App, page: App['historyView']['page']): App {
  return { ...app, historyView: { ...app.historyView, page, kinds: [] } };
}

/** A day with a few kinds of rounds, one of which does not count. */
function dayApp(options: Partial<Options> = {}, page: App['historyView']['page'] = 'rounds'): App {
  const record = toRoundRecord(typeSample(), false);
  const records = ['words-30', 'time-15', 'words-30', 'drill'].map((mode, at): RoundRecord => {
    const finished = new Date(Date.UTC(2026, 2, 1, 9, at * 7)).toISOString();
    return { ...record, finished, mode, counts: mode !== 'drill', standardWpm: 70 + at };
  });
  const history = { records, imported: [], damagedLines: 0 };
  const found = toDayReport(history, 'UTC', 0, 1, '2026-03-02T12:00:00Z');
  const historyView = { ...newHistoryView, day: 'yesterday', page, kinds: found.kinds } as const;
  return { ...historyApp(options), report: found.report, historyView };
}

/** Nothing was typed on that day. */
const emptyDay: App = (() => {
  const report = { ...(historyApp().report as ProgressReport), rounds: [] };
  return { ...historyApp(), report, historyView: { ...newHistoryView, day: 'today', page: 'rounds' } };
})();

const wideText = ofMode({ type: 'text', title: 'poem.txt' }, ['日本語 text', 'für Élise'], '日x語 te');
const longWord = ofMode(
  { type: 'text', title: 'poem.txt' },
  [`a ${'0123456789'.repeat(9)} b`],
  'a 01234567890123456789012345678901234567890123456789',
);

const screens: readonly (readonly [string, App, Size?])[] = [
  ['typing', typingApp(midway)],
  ['typing-small', typingApp(midway), small],
  ['typing-wide', typingApp(midway), wide],
  ['typing-wide-ascii', typingApp(midway, { ascii: true, keyboard: true }), wide],
  ['typing-large', typingApp(midway), large],
  ['typing-large-keyboard', typingApp(midway, { keyboard: true }), large],
  [
    'typing-waiting',
    { ...typingApp(''), round: undefined, waiting: 'no answer from http://127.0.0.1:9 (ECONNREFUSED)' },
  ],
  [
    'typing-away',
    { ...typingApp(midway), delivery: { confirmed: 9, total: 17, away: 'ECONNREFUSED', lost: '' } },
  ],
  ['typing-leaving', { ...typingApp(midway), asks: 'leave' }],
  ['typing-leaving-small', { ...typingApp(midway), asks: 'leave' }, small],
  [
    'typing-away-small',
    { ...typingApp(midway), delivery: { confirmed: 9, total: 17, away: 'ECONNREFUSED', lost: '' } },
    small,
  ],
  ['typing-restarting', { ...typingApp(`${words.slice(0, 5).join(' ')} cr`), asks: 'restart' }],
  ['typing-word-end', typingApp('lobster', { keyboard: true })],
  ['typing-keyboard', typingApp(midway, { keyboard: true })],
  ['typing-extra-letters', typingApp('lobsterxyz')],
  ['typing-too-long', typingApp(`lobster${'x'.repeat(30)}`), small],
  ['typing-ascii', typingApp(midway, { ascii: true })],
  ['typing-capitals', { ...typingApp(''), round: newLocalRound(['"Quiz,', 'Why?']) }],
  ['typing-accents', { ...typingApp(''), round: newLocalRound(['größte', 'Fläche']) }],
  ['lines', typingApp(midway, { view: 'lines' })],
  ['lines-small', typingApp(midway, { view: 'lines' }), small],
  ['results', resultsApp()],
  ['results-speed', { ...resultsApp(), measure: 'speed' }],
  ['results-small', resultsApp(), small],
  ['results-not-counted', notCounted()],
  ['results-not-counted-small', notCounted(), small],
  ['results-not-counted-plain', notCounted({ plain: true })],
  ['results-drill', drilled('bigrams')],
  ['results-drill-small', drilled('bigrams'), small],
  ['results-drill-plain', drilled('bigrams', { plain: true })],
  ['results-drill-ascii', drilled('bigrams', { ascii: true })],
  ['results-drill-large', drilled('bigrams'), large],
  ['results-drill-words', drilled('words', {}, [])],
  ['results-drill-unknown-small', drilled('bigrams', {}, []), small],
  ['results-no-wrong-letter', noWrongLetter()],
  ['results-left-out', leftOut()],
  ['results-left-out-small', leftOut(), small],
  ['lines-left-out', typingApp('lobst paxrs m cl', { view: 'lines' }, skipping)],
  ['typing-left-out', typingApp('lobst ', {}, skipping)],
  ['results-wide', resultsApp(), wide],
  ['results-large', resultsApp(), large],
  ['results-ascii', resultsApp({ ascii: true })],
  ['results-plain', resultsApp({ plain: true }), { columns: 80, rows: 40 }],
  ['results-plain-small', resultsApp({ plain: true }), small],
  ['history', historyApp()],
  ['history-small', historyApp(), small],
  ['history-plain', historyApp({ plain: true })],
  ['history-large', historyApp(), large],
  ['history-ascii', historyApp({ ascii: true })],
  ['history-few', fewRounds(6)],
  ['history-few-letters', { ...fewRounds(6), historyView: { ...historyApp().historyView, page: 'letters' } }],
  ['history-few-plain', fewRounds(6, { plain: true }), { columns: 80, rows: 60 }],
  ['history-two', fewRounds(2)],
  ['history-two-small', fewRounds(2), small],
  ['history-letters', historyApp({}, { page: 'letters' })],
  ['history-letters-small', historyApp({}, { page: 'letters', measure: 'speed' }), small],
  ['history-one-letters', onPage(fewRounds(1), 'letters')],
  ['history-one-letters-small', onPage(fewRounds(1), 'letters'), small],
  ['history-one-bigrams', onPage(fewRounds(1), 'bigrams')],
  ['history-bigrams', historyApp({}, { page: 'bigrams' })],
  ['history-bigrams-small', historyApp({}, { page: 'bigrams' }), small],
  ['history-bigrams-large', historyApp({}, { page: 'bigrams' }), large],
  ['history-rounds', historyApp({}, { page: 'rounds', round: 30 })],
  ['history-rounds-small', historyApp({}, { page: 'rounds' }), small],
  ['history-round', historyApp({}, { page: 'rounds', isOpen: true })],
  ['history-round-small', historyApp({}, { page: 'rounds', isOpen: true }), small],
  ['history-day', dayApp()],
  ['history-day-small', dayApp(), small],
  ['history-day-letters', dayApp({}, 'letters')],
  ['history-day-plain', dayApp({ plain: true })],
  ['history-day-empty-small', emptyDay, small],
  ['options', { ...typingApp(''), screen: 'options', optionRow: 1 }],
  ['help', { ...typingApp(''), screen: 'help' }],
  ['palette', palette('')],
  ['palette-small', palette('de'), small],
  ['palette-unasked-small', palette(''), small],
  ['palette-ascii', palette('time 45', { ascii: true })],
  ['palette-nothing', palette('qqq'), small],
  ['palette-large', palette('co'), large],
  ['palette-loading', { ...palette('dvorak'), catalog: undefined }, small],
  ['palette-missing', { ...palette('dvorak'), catalog: undefined, isCatalogMissing: true }],
  ['time', timed],
  ['time-small', timed, small],
  ['code', code],
  ['code-small', code, small],
  ['code-wide', code, wide],
  ['code-large', code, large],
  ['code-ascii', { ...code, options: { ...code.options, ascii: true } }],
  ['code-indented', indented],
  ['code-indented-small', indented, small],
  ['guided', guided],
  ['guided-small', guided, small],
  ['guided-large', guided, large],
  ['bigrams', bigrams],
  ['bigrams-small', bigrams, small],
  ['stopped-on-letter', typingApp('lobx', {}, stopped)],
  ['lines-stopped-on-letter', typingApp('lobx', { view: 'lines' }, stopped)],
  ['blind', typingApp('lobstxr pairszz q', { blind: true })],
  ['lines-blind', typingApp('lobstxr pairszz q', { blind: true, view: 'lines' })],
  ['pace', { ...typingApp('lobster pai', { pace: 30 }), elapsed: 3900 }],
  ['pace-small', { ...typingApp('lobster pai', { pace: 'average', ascii: true }), elapsed: 3900 }, small],
  ['lines-pace', { ...typingApp('lobster pai', { pace: 'average', view: 'lines' }), elapsed: 3900 }],
  ['typing-keyboard-qwertz', qwertz],
  ['results-ended', ended],
  ['results-ended-small', ended, small],
  ['results-ended-at-once', endedAtOnce],
  ['results-ended-at-once-plain', { ...endedAtOnce, options: { ...endedAtOnce.options, plain: true } }],
  ['history-letters-empty', onPage(onlyDrills, 'letters')],
  ['history-bigrams-empty-small', onPage(onlyDrills, 'bigrams'), small],
  ['history-bigrams-none-small', onPage(noRounds, 'bigrams'), small],
  ['text-wide', wideText],
  ['text-long-word', longWord, small],
  ['too-small', typingApp(midway), { columns: 30, rows: 8 }],
];

describe('the screens', () => {
  test.each(screens.map(([name, app, size]) => ({ name, app, size })))(
    '$name',
    async ({ name, app, size }) => {
      await expect(await draw(app, size)).toMatchFileSnapshot(`frames/${name}.txt`);
    },
  );

  test('resume names the day and the word', async () => {
    expect(await draw(resume)).toMatch(/A round from .* was cut off at word 3 of 30\. Nothing was\s+lost\./);
  });

  test.each([1, 2, 3, 6, 20])('a history of %i rounds never fills rows with dashes', async (count) => {
    for (const size of [small, { columns: 80, rows: 24 }, wide, large]) {
      for (const page of ['progress', 'letters'] as const) {
        const app = { ...fewRounds(count), historyView: { ...historyApp().historyView, page } };
        expect(await draw(app, size)).not.toMatch(/[–-]→|→ *[–-]/);
      }
    }
    const plain = await draw(fewRounds(count, { plain: true }), { columns: 200, rows: 120 });
    expect(plain).toContain('Weak letters: ');
    expect(plain).not.toMatch(/too few then|then too few/);
  });

  test.each([small, { columns: 80, rows: 24 }, wide])(
    'one day is one mark and no line: $columns columns',
    async (size) => {
      for (const count of [1, 2, 6, 20]) expect(await draw(fewRounds(count), size)).toMatch(/│━(?!━)/);
      for (const count of [1, 2, 6, 20]) expect(await draw(fewRounds(count), size)).not.toMatch(/│.*━━/);
    },
  );

  test('what has just happened is said before a timer that is paused', async () => {
    const app = typingApp('lob');
    const paused = { ...app, round: app.round && reduceLocalRound(app.round, { type: 'pause', time: 400 }) };
    expect(await draw(paused)).toContain('Timer paused');
    const screen = await draw({ ...paused, notice: 'The text "no.txt" cannot be read.' });
    expect(screen).toContain('The text "no.txt" cannot be read.');
    expect(screen).not.toContain('Timer paused');
  });

  test('what is practised stays on a small screen from the first word to the last', async () => {
    const { round } = bigrams;
    for (const typed of ['', words.slice(0, 8).join(' '), words.slice(0, 29).join(' ')]) {
      const app = {
        ...bigrams,
        round:
          round && typeText({ ...round, ...newLocalRound(words, skipping, round.practised) }, `${typed} `),
      };
      expect((await draw(app, small)).split('\n')[0]).toMatch(/^ drill: bigrams +word \d+ of 30$/);
    }
    const code: Practised = {
      ...usualPractised,
      mode: { type: 'text', title: 'a very long name of a text.txt' },
    };
    const long = { ...typingApp(''), round: newLocalRound(words, skipping, code) };
    expect((await draw(long, small)).split('\n')[0]).toMatch(/^ a very long name of a t… +word 1 of 30$/);
  });

  test.each([
    ['short', {}, small],
    ['full', {}, wide],
    ['plain', { plain: true }, wide],
  ])('%s results name the key that practises words only where there are some', async (_, options, size) => {
    const app = resultsApp(options);
    const round = typeText(newLocalRound(['the', 'cat']), 'the cat ');
    const perfect = { ...app, outcome: { ...(app.outcome as RoundOutcome), round } };
    expect(await draw(app, size)).toMatch(/ m missed/);
    expect(await draw(perfect, size)).not.toMatch(/ m missed/);
  });

  test('a wrong key for a sign is among the errors of the results and of the round', async () => {
    const round = typeText(newLocalRound(['Yes,', 'no.']), 'Yes; no, ');
    const signs = resultsApp();
    const app = { ...signs, outcome: { ...(signs.outcome as RoundOutcome), round } };
    expect(await draw(app)).toMatch(/^ Errors +,→; 1× \.→, 1× this round +e→r 14×/m);
    expect(await draw(app, small)).toContain(',→; 1× .→, 1× this round  e→r 14×');
    const noLetters = { ...signs.outcome?.history, error_patterns: [] };
    const signsOnly = { ...app, outcome: { ...app.outcome, history: noLetters } as RoundOutcome };
    expect(await draw(signsOnly)).toMatch(/^ Errors +,→; 1× \.→, 1× this round$/m);
    const plain = await draw({ ...app, options: { ...app.options, plain: true } }, large);
    expect(plain).toContain('Wrong keys with signs in this round: ; for ,, 1 time; , for ., 1 time.');
    const record = toRoundRecord(round, true);
    const report = toReport({ records: [record], imported: [], damagedLines: 0 }, 'UTC');
    const detail = { ...historyApp({}, { page: 'rounds', isOpen: true }), report };
    expect(await draw(detail)).toContain('Errors: ,→;, .→,');
  });

  test('a round that was too short for a speed has none in the lists', async () => {
    const record = { ...toRoundRecord(typeSample(), false), seconds: 0.2, standardWpm: 0 };
    const report = toReport({ records: [record], imported: [], damagedLines: 0 }, 'UTC');
    const app = { ...historyApp({}, { page: 'rounds', isOpen: false }), report };
    expect(await draw(app)).toMatch(/^ > \S+ \S+ +– WPM/m);
    const open = { ...app, historyView: { ...app.historyView, isOpen: true } };
    expect(await draw(open)).toMatch(/^ – WPM, /m);
  });

  test('no sentence is broken before its percent sign', async () => {
    for (let columns = 40; columns <= 90; columns += 1) {
      expect(await draw(historyApp({ plain: true }), { columns, rows: 60 })).not.toMatch(/^ %/m);
    }
  });

  test('the head of a round names its rules and the profile where there is room', async () => {
    const limits = { suddenDeath: true, minWpm: 60, minAccuracy: 0 };
    const practised: Practised = { ...usualPractised, mode: { type: 'time', seconds: 15 }, limits };
    const round = newLocalRound(words, stopped, practised);
    const app = { ...typingApp('', { blind: true }), round, profile: 'work' };
    const head = async (columns: number, given: App = app) =>
      (await draw(given, { columns, rows: 24 })).split('\n')[0]?.replace(/ {3,}/, ' … ');
    expect(await head(100)).toBe(
      ' typebadge  15 s · blind · stops on letters · sudden death · at least 60 WPM · work … 15 s left',
    );
    expect(await head(60)).toBe(' typebadge  15 s · blind · stops on letters … 15 s left');
    expect(await head(40)).toBe(' typebadge  15 s · blind … 15 s left');
    expect(await head(80, { ...typingApp(''), profile: 'work' })).toBe(' typebadge  work … word 1 of 30');
  });

  test('sums of a day that have no room end with an ellipsis', async () => {
    const day = dayApp();
    const kinds = ['en', 'de', 'fr', 'es'].flatMap((language) =>
      day.historyView.kinds.map((kind) => ({ ...kind, language })),
    );
    const shown = await draw({ ...day, historyView: { ...day.historyView, kinds } }, small);
    expect(shown).toMatch(/…\n\n > /);
  });

  test('a drill of pairs begins with those that are in its words', async () => {
    const focus = ['zq', 'th', 'ob'].map((text, at) => ({ text, ms: 300 - at * 40, targetMs: 101 }));
    const practised: Practised = { ...usualPractised, mode: { type: 'drill', on: 'bigrams' }, focus };
    const round = newLocalRound(['lobster', 'the'], skipping, practised);
    expect(await draw({ ...typingApp(''), round })).toContain('target 101 ms  th 260  ob 220  zq 300');
  });

  test('a round that does not count says so in the list before figures that may have no room', async () => {
    const history = historyApp({}, { page: 'rounds' });
    const report = history.report as ProgressReport;
    const rounds = report.rounds.map((round) => ({ ...round, counts: false }));
    const app = { ...history, report: { ...report, rounds } };
    expect(await draw(app)).toMatch(/ 96\.0 % +17 s {2}not counted {2}raw 117\.9$/m);
    expect(await draw(dayApp())).toMatch(/drill .* 17 s {2}not counted/);
  });

  test('a history of drills says how many there are, and that none counts', async () => {
    expect(await draw(onPage(onlyDrills, 'rounds'))).not.toContain('0 rounds');
    const kinds = [{ ...(historyApp().historyView.kinds[0] as Kind), mode: 'drill', runs: 0 }];
    const app = { ...onlyDrills, historyView: { ...onlyDrills.historyView, kinds, page: 'rounds' } } as App;
    expect(await draw(app)).toMatch(/ drill: 1 not counted$/m);
    expect(await draw(app, small)).toMatch(/^ History rounds +drill: 1 not counted$/m);
  });

  test('a server is never called away by a typist who wants none', async () => {
    const finished = finishRound(typingApp(''), typeSample(), 0);
    const offline = { ...finished, delivery: { confirmed: 0, total: 9, away: serverNotWanted, lost: '' } };
    expect(await draw(offline)).toMatch(/Round finished .* offline: kept for a later start/);
    const plain = await draw({ ...offline, options: { ...offline.options, plain: true } }, large);
    expect(plain).toContain('You are offline');
    expect(await draw({ ...offline, delivery: { ...offline.delivery, away: 'ECONNREFUSED' } })).toContain(
      'server away',
    );
  });

  test('fit into every terminal, whatever it shows', async () => {
    const sizes = fc.record({
      columns: fc.integer({ min: 1, max: 210 }),
      rows: fc.integer({ min: 1, max: 70 }),
    });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.constantFrom(resume, ...screens.map(([, app]) => app)),
        async (size, app) => {
          const lines = (await draw(app, size)).trimEnd().split('\n');
          expect(lines.length).toBeLessThanOrEqual(size.rows);
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('never hide the current letter nor what is typed, at any size and in both views', async () => {
    const sizes = fc.record({
      columns: fc.integer({ min: 40, max: 120 }),
      rows: fc.integer({ min: 12, max: 40 }),
    });
    const texts = fc.constantFrom(
      '',
      'lob',
      'lobster pai',
      'lobsterzzzzzzzzzzzzzzzz',
      words.slice(0, 20).join(' '),
    );
    await fc.assert(
      fc.asyncProperty(sizes, texts, fc.constantFrom('blocks', 'lines'), async (size, text, view) => {
        const app = typingApp(text, { view: view as 'blocks' | 'lines', ascii: true });
        const screen = await draw(app, size);
        const { round } = app;
        expect(screen).toContain(`word ${(round?.wordIndex ?? 0) + 1} of 30`);
        if (view === 'blocks') expect(screen).toContain('^');
        else expect(screen).toContain(text.includes('zz') ? 'zz' : (round?.words[round.wordIndex] ?? ''));
      }),
      { numRuns: 60 },
    );
  });

  test('extra letters leave a word at its place and in its size, and the caret is seen after them', async () => {
    const ink = /[█▀▄]+/;
    for (const columns of [80, 100, 200]) {
      const rows = async (text: string) => (await draw(typingApp(text), { columns, rows: 24 })).split('\n');
      const before = await rows('lobster');
      const middle = before.findIndex((row) => ink.test(row)) + 1;
      const letters = (before[middle] ?? '').trimEnd();
      for (let extra = 1; extra <= 32; extra += 1) {
        const drawn = await rows(`lobster${'x'.repeat(extra)}`);
        expect(drawn[middle]).toMatch(ink);
        if (extra === 1) expect(drawn[middle]?.startsWith(letters)).toBe(true);
        expect(drawn.filter((row) => row.includes('▲'))).toHaveLength(1);
      }
    }
  });

  test('prose that does not fit into a row goes on where its line begins, and code two columns later', async () => {
    const list = Array.from({ length: 40 }, (_, at) => `word${at}`);
    const rowsOf = async (mode: Practised['mode'], indents: readonly number[]) => {
      const practised = { ...usualPractised, mode, indents, lineEnds: [39] };
      const screen = await draw({ ...typingApp(''), round: newLocalRound(list, skipping, practised) }, small);
      const text = screen.split('\n').filter((row) => /word\d/.test(row));
      return new Set(text.map((row) => row.search(/\S/)));
    };
    const [prose, code] = [{ type: 'text' }, { type: 'code', language: 'python' }] as const;
    expect(await rowsOf(prose, [0])).toEqual(new Set([1]));
    expect(await rowsOf(prose, [4])).toEqual(new Set([5]));
    expect(await rowsOf({ type: 'quote', length: 'any' }, [0])).toEqual(new Set([1]));
    expect(await rowsOf(code, [4])).toEqual(new Set([5, 7]));
  });

  test('block letters have one size in a round, and words and frame fit at any size of the terminal', async () => {
    const sizes = fc.record({
      columns: fc.integer({ min: 20, max: 300 }),
      rows: fc.integer({ min: 6, max: 100 }),
    });
    const letters = fc.string({ unit: fc.constantFrom(...'abilmwxyzQW'), minLength: 1, maxLength: 14 });
    const lists = fc.array(letters, { minLength: 3, maxLength: 4 });
    const extras = fc.integer({ min: 0, max: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, lists, extras, async (size, list, extra) => {
        const [first = ''] = list;
        const heights = new Set<number>();
        for (const text of ['', first + 'x'.repeat(extra), `${first} `]) {
          const round = typeText(newLocalRound(list), text);
          const lines = (await draw({ ...typingApp(''), round }, size)).trimEnd().split('\n');
          expect(lines.length).toBeLessThanOrEqual(size.rows);
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(size.columns);
          const marks = lines.findIndex((line) => line.includes('▲'));
          const isLarge =
            marks >= 10 && lines.slice(marks - 10, marks).filter((line) => /██/.test(line)).length > 5;
          heights.add(isLarge ? 10 : 5);
        }
        if (size.columns >= 40 && size.rows >= 12) expect(heights.size).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  test('block letters grow where the widest word of the round has room, and nowhere else', async () => {
    const inked = async (list: string[], size: Size) =>
      (await draw({ ...typingApp(''), round: newLocalRound(list) }, size))
        .split('\n')
        .filter((row) => row.includes('█'));
    expect(await inked(['half', 'so'], large)).toHaveLength(8);
    expect(await inked(['half', 'straightforward'], large)).toHaveLength(4);
    expect(await inked(['half', 'größte'], large)).toHaveLength(8);
    expect(await inked(['half', 'слово'], large)).toHaveLength(4);
    expect(await inked(['half', 'so'], { columns: 80, rows: 24 })).toHaveLength(4);
  });

  test('the results name the errors at every height from 24 rows on', async () => {
    for (const columns of [80, 100, 110, 200]) {
      for (let rows = 24; rows <= 60; rows += 1) {
        expect(await draw(resultsApp(), { columns, rows }), `${columns} x ${rows}`).toMatch(/^ *Errors +e/m);
      }
    }
  });

  test('one star a round for the figure that says most, and none for the first round', async () => {
    const stars = async (before: App['history'], bests: Partial<SessionStatistics>) => {
      const app = resultsApp();
      const statistics = { ...(app.outcome?.statistics as SessionStatistics), ...bests };
      const outcome = { ...(app.outcome as RoundOutcome), before, statistics };
      return (await draw({ ...app, outcome })).split('\n').filter((row) => row.includes('★'));
    };
    const all = {
      standard_wpm: history.best_standard_wpm + 1,
      is_new_best_accuracy: true,
      is_new_best_time: true,
    };
    expect(await stars(history, all)).toEqual([expect.stringContaining('WPM')]);
    expect(await stars(history, { ...all, standard_wpm: history.best_standard_wpm })).toEqual([
      expect.stringContaining('%'),
    ]);
    expect(await stars({ ...history, total_sessions: 0 }, all)).toEqual([]);
    expect(await stars(undefined, all)).toEqual([]);
  });

  test('a key has a figure and a colour from ten presses on', async () => {
    const keys = async (presented: number) => {
      const letter_accuracy = { ...history.letter_accuracy, q: { presented, correct: presented } };
      const app = resultsApp();
      const outcome = { ...(app.outcome as RoundOutcome), history: { ...history, letter_accuracy } };
      return (await draw({ ...app, outcome })).split('\n').find((row) => /│█.*\d\d/.test(row));
    };
    expect(await keys(9)).toMatch(/█ +– {2}/);
    expect(await keys(10)).toMatch(/█ +100 /);
  });

  test.each([
    { size: { columns: 80, rows: 24 }, view: 'blocks', most: 200 },
    { size: large, view: 'blocks', most: 350 },
    { size: large, view: 'lines', most: 100 },
  ] as const)(
    'the same state draws nothing, and a key costs few bytes: $size, $view',
    ({ size, view, most }) => {
      const emulator = createEmulator(size);
      const stage = createStage(emulator, { depth: 8, onError: fail });
      let app: App = { ...typingApp('', { view }), size: stage.resize(size) };
      stage.draw(app);
      const start = emulator.bytes;
      stage.draw({ ...app });
      expect(emulator.bytes).toBe(start);
      const keys = [...`${words.slice(0, 29).join(' ')} `];
      for (const [at, key] of keys.entries()) {
        const stamp = press(at * 80);
        const action =
          key === ' '
            ? ({ type: 'advance', ...stamp } as const)
            : ({ type: 'character', char: key, ...stamp } as const);
        app = { ...app, round: app.round && reduceLocalRound(app.round, action) };
        stage.draw(app);
      }
      stage.close();
      expect((emulator.bytes - start) / keys.length).toBeLessThan(most);
    },
  );

  test('every theme and option can be drawn', async () => {
    for (const row of optionRows) {
      for (const value of row.values) {
        expect(await draw(typingApp(midway, { [row.key]: value }))).toContain('word 3 of 30');
        expect(await draw(resultsApp({ [row.key]: value }))).toContain('Round finished');
      }
    }
  });
});
