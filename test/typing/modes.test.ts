import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/server/stores/languages.ts';
import { openLibrary } from '../../src/server/typing/library.ts';
import { type Mode, modes, modeTypes } from '../../src/typing/modes/mode.ts';
import { defaultPractice, type Practice } from '../../src/typing/modes/practice.ts';
import { roundText } from '../../src/typing/modes/round-text.ts';
import { problemOfText } from '../../src/typing/modes/text.ts';
import { newRound, type Round, reduceRoundBatch } from '../../src/typing/round.ts';
import { newInput } from '../../src/typing/round-input.ts';
import { spaceKey } from '../../src/typing/rules/rules.ts';
import { charactersOf, isOneCharacter, type Word, wordText } from '../../src/typing/rules/word.ts';
import { type History, newHistory } from '../../src/typing/statistics/history.ts';
import { roundStatistics, timeRound } from '../../src/typing/timing.ts';
import { newStoredRound, toRoundId } from '../server/stores/stored-rounds.ts';
import { foldRounds } from './fold-rounds.ts';
import { tapes } from './random-typist.ts';

const library = openLibrary();
const languages = fc.constantFrom(...library.languages());
const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

/** Modes whose words are drawn from the language, and how many they are. */
const drawnModes: fc.Arbitrary<{ mode: Mode; count: number }> = fc.oneof(
  fc
    .integer({ min: 10, max: 200 })
    .map((count) => ({ mode: { type: 'words', count } satisfies Mode, count })),
  fc
    .integer({ min: 5, max: 600 })
    .map((seconds) => ({ mode: { type: 'time', seconds } satisfies Mode, count: 5 * seconds })),
  fc
    .constantFrom('letters' as const, 'bigrams' as const, 'words' as const)
    .map((on) => ({ mode: { type: 'drill', on } satisfies Mode, count: 30 })),
  fc.constant({ mode: { type: 'guided' } satisfies Mode, count: 30 }),
);
const givenModes: fc.Arbitrary<Mode> = fc.oneof(
  fc.constantFrom('short' as const, 'medium' as const, 'long' as const, 'any' as const).map(
    (length): Mode => ({
      type: 'quote',
      length,
    }),
  ),
  fc.constantFrom(...library.codeLanguages()).map((language) => ({ type: 'code', language }) satisfies Mode),
  fc.lorem({ maxCount: 40 }).map((text) => ({ type: 'text', text }) satisfies Mode),
  fc.constantFrom(...modeTypes).map((type) => modes[type].example as Mode),
);

/** What a player did before: a few rounds in this language and mode, with mistakes, however typed. */
function pastOf(language: string, mode: string, all: readonly (readonly number[])[]): History {
  const practice = { ...defaultPractice, language };
  const rounds = all.map((tape, number) => {
    const { words } = roundText(practice, library.materialOf(practice, number, newHistory()));
    return { ...newStoredRound(toRoundId(number), words.map(wordText), tape), language, mode };
  });
  return foldRounds(newHistory(), rounds, languageOf);
}

const pasts = fc.record({
  mode: fc.constantFrom('words-30', 'guided'),
  tapes: fc.array(tapes, { maxLength: 4 }),
});
const textOf = (practice: Practice, seed: number, history: History) =>
  roundText(practice, library.materialOf(practice, seed, history));

/** The round, typed without a mistake; its words can be cut short. */
function typeWords(round: Round, words: readonly Word[] = round.words): Round {
  const inputs = words.flatMap((word) =>
    [...(typeof word === 'string' ? word.split('') : word), spaceKey].map((key) => newInput(key, 100)),
  );
  const reduction = reduceRoundBatch(round, inputs);
  if ('problem' in reduction) throw new Error(`input ${reduction.at}: ${reduction.problem.message}`);
  return reduction.round;
}

describe('a round of drawn words, in every language and after any history', () => {
  const drawn = fc.record({ drawnMode: drawnModes, language: languages, seed: seeds, past: pasts });

  it('has as many words as its mode says, in letters of the language, none again within 14', () => {
    fc.assert(
      fc.property(drawn, ({ drawnMode: { mode, count }, language, seed, past }) => {
        const practice = { ...defaultPractice, mode, language: language.id };
        const { words } = textOf(practice, seed, pastOf(language.id, past.mode, past.tapes));
        expect(words).toHaveLength(count);
        const outside = new RegExp(`[^${language.alphabet}'-]`);
        expect(words.map(wordText).filter((word) => word === '' || outside.test(word))).toEqual([]);
        expect(words.filter((word, at) => words.slice(Math.max(0, at - 14), at).includes(word))).toEqual([]);
        expect(words.join('').length).toBeLessThanOrEqual(12 * count);
      }),
      { numRuns: 50 },
    );
  });

  it('has only letters of the language and marks, as sentences too', () => {
    fc.assert(
      fc.property(drawn, ({ drawnMode: { mode }, language, seed }) => {
        const practice = { ...defaultPractice, mode, language: language.id, punctuation: true };
        const { words } = textOf(practice, seed, newHistory());
        const outside = new RegExp(`[^${language.alphabet}'".,;:!?-]`);
        const small = words.map((word) => wordText(word).toLocaleLowerCase(language.id).normalize('NFC'));
        expect(small.filter((word) => outside.test(word))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a round of any mode', () => {
  const any = fc.record({
    mode: fc.oneof(
      drawnModes.map(({ mode }) => mode),
      givenModes,
    ),
    language: languages,
    seed: seeds,
    past: pasts,
    punctuation: fc.boolean(),
  });

  it('is the same for the same seed and history, and bounded', () => {
    fc.assert(
      fc.property(any, ({ mode, language, seed, past, punctuation }) => {
        const practice = { ...defaultPractice, mode, language: language.id, punctuation };
        const history = pastOf(language.id, past.mode, past.tapes);
        const text = textOf(practice, seed, history);
        expect(textOf(practice, seed, JSON.parse(JSON.stringify(history)))).toEqual(text);
        expect(text.words.length).toBeGreaterThan(0);
        expect(text.words.length).toBeLessThanOrEqual(3000);
        expect(JSON.stringify(text).length).toBeLessThan(64 * 1024);
      }),
      { numRuns: 30 },
    );
  });

  it('ends after its last word, except a timed one, which ends when its time is over', () => {
    fc.assert(
      fc.property(any, fc.nat(), ({ mode, language, seed }, pick) => {
        const practice = { ...defaultPractice, mode, language: language.id };
        const { words, lineEnds } = textOf(practice, seed, newHistory());
        const start = newRound('r', words, practice, lineEnds);
        const seconds = mode.type === 'time' ? mode.seconds : 60;
        const timing = { start: 0, end: seconds * 1000, duration: seconds * 1000 };
        const part = typeWords(start, words.slice(0, pick % words.length));
        expect('problem' in timeRound(part, timing, newHistory())).toBe(mode.type !== 'time');
        const late = { ...timing, duration: timing.duration + 2001 };
        const whole = typeWords(start);
        expect('problem' in timeRound(whole, late, newHistory())).toBe(mode.type === 'time');
        expect('problem' in timeRound(whole, timing, newHistory())).toBe(false);
        expect(roundStatistics(whole)).toMatchObject({ accuracy: 100, omitted_chars: 0, kspc: 1 });
      }),
      { numRuns: 25 },
    );
  });
});

describe('a custom text', () => {
  const pieces = fc.oneof(
    fc.constantFrom(' ', '\n', '\r\n', '\t', '\u2028', '\u00a0', '\u3000', '  \n\n'),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\ud83d',
      'e\u0301',
      '\u0301',
      '\u200b',
      '\u202e',
      'العربية',
      'עברית',
      'हिन्दी',
      '한국어',
      'ไทย',
    ),
    fc.constantFrom('👩‍👩‍👧', '🇩🇪🇩', '\ufeff', '\0', 'ﬁ', '\u1100', `a${'\u0301'.repeat(40)}`),
  );
  const texts = fc.array(pieces, { minLength: 1, maxLength: 30 }).map((all) => all.join(''));

  it('has each line as far in as its white space, with tab stops every 4 columns, and at most 40', () => {
    const lines = fc.array(fc.stringMatching(/^[ \t]{0,14}[a-z]?[ \t]?$/), { maxLength: 6 });
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n', '\r', '\u2029'), (lines, end) => {
        const practice: Practice = {
          ...defaultPractice,
          mode: { type: 'text', text: `${lines.join(end)}z` },
        };
        const { indents, lineEnds = [] } = textOf(practice, 1, newHistory());
        const shown = `${lines.join('\n')}z`.split('\n').filter((line) => line.trim() !== '');
        const columnsOf = (line: string) =>
          [...line.slice(0, line.length - line.trimStart().length)].reduce(
            (columns, space) => columns + (space === ' ' ? 1 : 4 - (columns % 4)),
            0,
          );
        expect(indents).toEqual(shown.map((line) => Math.min(40, columnsOf(line))));
        expect(lineEnds).toHaveLength(shown.length);
      }),
    );
  });

  it('is refused if it has more than 10,000 characters', () => {
    expect(problemOfText('ab '.repeat(3_333))).toBeUndefined();
    expect(problemOfText('ab '.repeat(3_334))).toMatch(/10000 characters/);
  });

  it('is what a drill of it has, word by word', () => {
    const text = 'some words\nto drill';
    const practice: Practice = { ...defaultPractice, mode: { type: 'drill', on: 'words', text } };
    expect(textOf(practice, 1, newHistory()).words).toEqual(['some', 'words', 'to', 'drill']);
  });

  it('is refused if it has more marks in a row than a key can type, and the reason names the word', () => {
    const marks = '\u0301'.repeat(32);
    expect([marks, `one ${marks}`, `one two${marks} three`].map(problemOfText)).toEqual(
      [1, 2, 2].map((word) => `holds a character in its word ${word} that no key types`),
    );
  });

  it('is refused with a reason, or is typed to its end, character by character as written', () => {
    const taken = { yes: 0, no: 0 };
    fc.assert(
      fc.property(texts, (text) => {
        const problem = problemOfText(text);
        taken[problem === undefined ? 'yes' : 'no']++;
        if (problem !== undefined) {
          expect(problem).toMatch(
            /^must have something|^holds a character in its word \d+ that no key types$/,
          );
          return;
        }
        const practice: Practice = { ...defaultPractice, mode: { type: 'text', text } };
        const { words, lineEnds = [] } = textOf(practice, 1, newHistory());
        const lines = text.normalize('NFC').split(/[\n\r\u2028\u2029]/);
        const shown = lines.map((line) => line.split(/\s+/).filter((word) => word !== ''));
        expect(words.map(wordText)).toEqual(shown.flat());
        const ends = shown.flatMap((line, at) =>
          line.length > 0 ? [shown.slice(0, at + 1).flat().length - 1] : [],
        );
        expect(lineEnds).toEqual(ends);
        for (const word of words) {
          expect(charactersOf(wordText(word))).toEqual([
            ...(typeof word === 'string' ? word.split('') : word),
          ]);
          for (const character of word) expect(isOneCharacter(character)).toBe(true);
        }
        const whole = typeWords(newRound('r', words, practice, lineEnds));
        expect(roundStatistics(whole)).toMatchObject({ accuracy: 100, omitted_chars: 0 });
      }),
      { numRuns: 300 },
    );
    // Enough of both to mean something, however many were tried.
    expect(Math.min(taken.yes, taken.no)).toBeGreaterThan((taken.yes + taken.no) / 20);
  });
});
