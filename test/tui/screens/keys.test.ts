import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { withOptions } from '../../../src/tui/record/option-table.ts';
import { type CustomText, defaultOptions, type Options } from '../../../src/tui/record/options.ts';
import type { RoundLimits, RoundSetup } from '../../../src/tui/round/round-setup.ts';
import { withNewRound } from '../../../src/tui/screens/reaction.ts';
import { resultsLines } from '../../../src/tui/screens/results-text.ts';
import { pacerOf, paceText } from '../../../src/tui/state/pace.ts';
import { newState, type State, sessionSetup } from '../../../src/tui/state/state.ts';
import { update } from '../../../src/tui/update.ts';
import { defaultRules, type Rules } from '../../../src/typing/rules/rules.ts';
import { defaultRoundSetup, drawRound, noLimits, roundOf } from '../round/round-picture.ts';
import { drawScreen } from './draw-screen.ts';
import { pressAll } from './press.ts';

const words = ['the', 'cat'];

function beginRound(state: State, list: readonly string[], rules?: Rules, roundSetup?: RoundSetup): State {
  return withNewRound(state, roundOf(list, rules, roundSetup));
}

function fresh(options: Partial<Options> = {}): State {
  return beginRound(newState({ ...defaultOptions, ...options }), words);
}

function never(): never {
  throw new Error('There are no results.');
}

const picture = (state: State) => (state.round === undefined ? 'no words' : drawRound(state.round));

describe('keys while typing', () => {
  test('type, correct and continue', () => {
    expect(picture(pressAll(fresh(), 'tx<backspace>he c').state)).toBe('the|[c^at]');
    expect(picture(pressAll(fresh(), 'the cax<delete-word>').state)).toBe('the|[^cat]');
  });

  test.each([
    ['space', 'the ', 'the|[^cat]'],
    ['space', 'the<enter>', '[the^]|cat'],
    ['enter', 'the<enter>', 'the|[^cat]'],
    ['enter', 'the ', '[the^]|cat'],
    ['either', 'the ', 'the|[^cat]'],
    ['either', 'the<enter>', 'the|[^cat]'],
  ] as const)('a word ends with %s: after %j it is %s', (advance, text, expected) => {
    expect(picture(pressAll(fresh({ advance }), text).state)).toBe(expected);
  });

  test('a key that does not end a word says which one does, until the next key', () => {
    const { state } = pressAll(fresh({ advance: 'enter' }), 'the ');
    expect(state.notice).toMatch(/^Enter .*Ctrl\+O/);
    expect(pressAll(state, '<enter>', 2000).state.notice).toBe('');
    expect(pressAll(fresh({ advance: 'space' }), 'the<enter>').state.notice).toMatch(/^Space /);
    expect(pressAll(fresh({ advance: 'either' }), 'the<enter>').state.notice).toBe('');
  });

  test('Tab asks after the fifth word, and any other key continues', () => {
    const state = beginRound(newState(defaultOptions), ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const early = pressAll(state, 'a b c d x<tab>');
    expect([early.state.round, early.effects]).toEqual([undefined, ['new-round']]);
    const asked = pressAll(state, 'a b c d e <tab>');
    expect([asked.effects, asked.state.confirming]).toEqual([[], 'restart']);
    expect(pressAll(asked.state, '<tab>', 2000).effects).toEqual(['new-round']);
    const goesOn = pressAll(asked.state, 'f<tab>', 2000);
    expect([goesOn.effects, picture(goesOn.state)]).toEqual([[], 'a|b|c|d|e|[f^]|g']);
    expect(pressAll(asked.state, '<escape><tab>', 2000).state.confirming).toBe('restart');
  });

  test('what ends the round comes first, and sentences without room are left out whole', () => {
    const notice = 'Begun 28 Nov, 12:15. Tab: a new one.';
    const state = { ...pressAll(fresh(), 'the cxt').state, notice };
    const statusIn = (columns: number) =>
      stripVTControlCharacters(drawScreen(state, columns, 15).at(-2) ?? '');
    expect(statusIn(40)).toBe(' Space ends the round.');
    expect(statusIn(50)).toBe(' Space ends the round. Begun 28 Nov, 12:15.');
    expect(statusIn(80)).toBe(` Space ends the round. ${notice}`);
  });

  test('Esc leaves a round only when pressed twice in a row', () => {
    expect(pressAll(fresh(), '<escape>').effects).toEqual(['quit-discarding']);
    expect(pressAll(fresh(), 't<escape>').effects).toEqual([]);
    expect(pressAll(fresh(), 't<escape><escape>').effects).toEqual(['quit-discarding']);
    const goesOn = pressAll(fresh(), 't<escape>h<escape>');
    expect([goesOn.effects, picture(goesOn.state)]).toEqual([[], '[th^e]|cat']);
  });

  test('Ctrl+C, Ctrl+Z and Ctrl+L work everywhere', () => {
    for (const before of ['', '<ctrl-o>', '<ctrl-y>', '<f1>', 'the cat ']) {
      const { state } = pressAll(fresh(), before);
      expect(pressAll(state, '<ctrl-c>', 9000).effects).toEqual(['quit-keeping']);
      expect(pressAll(state, '<ctrl-z>', 9000).effects).toEqual(['suspend']);
      expect(pressAll(state, '<ctrl-l>', 9000).effects).toEqual(['redraw']);
    }
  });

  test('a question mark opens help before a round and is a character in it', () => {
    expect(pressAll(fresh(), '?').state.screen).toBe('help');
    const inside = pressAll(fresh(), 't?').state;
    expect([inside.screen, picture(inside)]).toEqual(['typing', '[t!?^e]|cat']);
    const punctuated = beginRound(newState(defaultOptions), ['?', 'the']);
    expect(pressAll(punctuated, '?').state.screen).toBe('typing');
    expect(pressAll(fresh(), 't<f1>').state.screen).toBe('help');
  });

  test('options, history and help pause the timer and return to the round', () => {
    for (const [open, effects] of [
      ['<ctrl-o>', []],
      ['<ctrl-y>', ['load-report']],
      ['<f1>', []],
    ] as const) {
      const opened = pressAll(fresh(), `th${open}`);
      expect(opened.state.round?.lastKey).toBeUndefined();
      expect(opened.effects).toEqual(effects);
      const closed = pressAll(opened.state, '<escape>', 5000).state;
      expect([closed.screen, picture(closed)]).toEqual(['typing', '[th^e]|cat']);
      expect(pressAll(opened.state, open, 5000).state.screen).toBe('typing');
    }
  });

  test('the bell rings at a wrong key, and only if it is on', () => {
    expect(pressAll(fresh(), 'tx').effects).toEqual([]);
    expect(pressAll(fresh({ sounds: true }), 'tx<backspace>h ').effects).toEqual(['bell', 'bell']);
  });
});

describe('the end of a round', () => {
  const mode = { type: 'text', title: 'poem.txt' } as const;
  const text = beginRound(newState(defaultOptions), words, defaultRules, {
    ...defaultRoundSetup,
    mode,
    lineEnds: [1],
  });

  test('is its last letter', () => {
    const { state, effects } = pressAll(text, 'the cat');
    expect([state.screen, effects]).toEqual(['results', ['finish-round']]);
    const round = state.outcome?.round ?? roundOf(words);
    expect(round.log.at(-1)).toMatchObject({ key: ' ', ms: 0 });
    expect(state.outcome?.score).toMatchObject({ correct_chars: 6, total_chars: 6, seconds: 0.6 });
  });

  test('waits for a correction, or for the key that ends a word, if the last word is wrong', () => {
    const wrong = pressAll(text, 'the cax').state;
    expect([wrong.screen, picture(wrong)]).toEqual(['typing', 'the|[ca!x^]']);
    expect(pressAll(wrong, '<backspace>t', 700).state.screen).toBe('results');
    expect(pressAll(wrong, '<enter>', 700).state.screen).toBe('results');
    expect(pressAll(text, 'the catt').state.screen).toBe('results'); // what comes later is not part of it
    expect(pressAll(text, 'the cxat').state.screen).toBe('typing');
  });

  test('is safe for fast typists: a space or Enter typed after it starts no other round', () => {
    const { state } = pressAll(text, 'the cat');
    expect(pressAll(state, '<enter>', 1500).effects).toEqual([]);
    expect(pressAll(state, ' ', 1500).state.screen).toBe('results');
    expect(pressAll(state, '<enter>', 1700).effects).toEqual(['new-round']);
    const sure = pressAll(fresh({ advance: 'enter' }), 'the<enter>cat').state;
    expect(pressAll(sure, '<enter>', 1500).effects).toEqual([]); // Enter was to end the last word
    expect(pressAll(sure, '<enter>', 1700).effects).toEqual(['new-round']);
  });
});

describe('keys on the results', () => {
  const done = pressAll(fresh(), 'the cat ').state;

  test('keys still meant for the round do nothing', () => {
    expect(pressAll(done, '<enter><tab>', 750).effects).toEqual([]);
    expect(pressAll(done, '<enter>', 9000, { repeat: true }).effects).toEqual([]);
  });

  test('Enter starts the next round, k shows the other map, Esc leaves, ? opens help', () => {
    expect(pressAll(done, '<enter>', 9000).effects).toEqual(['new-round']);
    expect(pressAll(done, 'k', 9000).state.measure).toBe('speed');
    expect(pressAll(done, 'kk', 9000).state.measure).toBe('accuracy');
    expect(pressAll(done, '<escape>', 9000).effects).toEqual(['quit-discarding']);
    const help = pressAll(done, '?', 9000).state;
    expect(pressAll(help, '<escape>', 9100).state.screen).toBe('results');
  });

  test('r types the same text again, against the last time, and counts the attempts; Tab and Enter do not', () => {
    const again = pressAll(done, 'r', 9000);
    expect(again.effects).toEqual(['repeat-round']);
    const second = withNewRound(again.state, roundOf(words));
    const rows = (state: State) => drawScreen(state).join('\n');
    expect(rows(second)).toContain('attempt 2');
    expect([0, 99, 250, 600].map((ms) => pacerOf(second)?.(ms))).toEqual([1, 1, 3, 8]);
    const slower = pressAll(second, 'th', 20_000).state;
    expect(paceText({ ...slower, elapsed: 300 })).toBe('2 characters behind your last time.');
    const end = pressAll(second, 'the cat ', 20_000).state;
    expect(resultsLines(end, end.outcome ?? never())).toContain('Attempt 2 finished, saving.');
    for (const restarted of [
      pressAll(end, '<enter>', 30_000).state,
      pressAll(second, '<tab>', 30_000).state,
    ]) {
      const other = withNewRound(restarted, roundOf(words));
      expect(rows(other)).not.toContain('attempt');
      expect(pacerOf(other)).toBeUndefined();
    }
  });

  test('plain sentences scroll to their end and no further', () => {
    const plain = { ...done, options: { ...done.options, plain: true }, size: { columns: 40, rows: 12 } };
    const down = pressAll(plain, '<down>'.repeat(50), 9000).state;
    const up = pressAll(down, '<up>', 20_000).state;
    expect(up.scroll).toBe(Math.max(0, down.scroll - 1));
    expect(pressAll(down, '<home>', 20_000).state.scroll).toBe(0);
  });
});

describe('a text of a folder', () => {
  const other = async () => customText;
  const customText: CustomText = { text: 'the cat', title: 'a.go:1-4', code: 'go', next: other, other };
  const typing = { ...fresh(), customText };

  test('is practised as code of its language, which tells its rounds apart', () => {
    const { mode, language, isCustomText } = sessionSetup({
      ...typing,
      options: { ...defaultOptions, language: 'de' },
    });
    expect([mode, language, isCustomText]).toEqual([
      { type: 'text', text: 'the cat', title: 'a.go:1-4', code: 'go' },
      'en',
      true,
    ]);
  });

  test('is replaced by another one with Tab, whose notice comes with its first words', () => {
    expect(pressAll(typing, '<tab>').effects).toEqual(['other-text']);
    expect(pressAll({ ...typing, customText: { text: 'x', title: 'x.txt' } }, '<tab>').effects).toEqual([
      'new-round',
    ]);
    const notice = '1 character is left out.';
    const { state, effects } = update(typing, { type: 'custom-text', customText: { ...customText, notice } });
    expect(effects).toEqual(['new-round']);
    expect(withNewRound(state, roundOf(words)).notice).toBe(notice);
  });

  test('may be a list of words, which follows the number of words that is chosen', () => {
    const list = ['one', 'two'];
    const options: Options = { ...defaultOptions, mode: { type: 'words', count: 50, numbers: true } };
    const state = { ...fresh(), options, customText: { text: '', title: 'my.txt', list } };
    expect(sessionSetup(state).mode).toEqual({ type: 'words', count: 50, numbers: true, list });
    expect(drawScreen(beginRound(state, words))[0]).toContain('my.txt');
  });
});

describe('rules', () => {
  const limited = (
    limits: Partial<RoundLimits>,
    options: Partial<Options> = {},
    rules: Partial<Rules> = {},
  ) => {
    const roundSetup = { ...defaultRoundSetup, limits: { ...noLimits, ...limits } };
    const state = newState({ ...defaultOptions, ...options });
    return beginRound(state, words, { ...defaultRules, ...rules }, roundSetup);
  };

  test('sudden death shows the results, and typing on starts nothing until a pause', () => {
    const { state, effects } = pressAll(limited({ suddenDeath: true }), 'thx');
    expect([state.screen, state.outcome?.round.ended, effects]).toEqual([
      'results',
      'mistake',
      ['finish-round'],
    ]);
    const typedOn = pressAll(state, 'e <backspace>cat', 900);
    expect([typedOn.state.screen, typedOn.effects]).toEqual(['results', []]);
    expect(pressAll(typedOn.state, 'm', 2000)).toMatchObject({
      state: { screen: 'results', notice: '' },
      effects: [],
    });
    expect(pressAll(typedOn.state, 'm', 2200).effects).toEqual(['new-round']);
    expect(pressAll(state, '<enter>', 1300).effects).toEqual(['new-round']);
  });

  test('a space that a rule refuses gets a reason', () => {
    const { state } = pressAll(limited({}, {}, { stop_on: 'word' }), 'thx ');
    expect(picture(state)).toBe('[th!x^]|cat');
    expect(state.notice).toBe('Correct this word first.');
    expect(pressAll(state, '<backspace>').state.notice).toBe('');
  });

  test('a word cannot trap a typist: stop on word and no Backspace exclude each other', () => {
    const stopped = withOptions(defaultOptions, { stopOn: 'word' });
    expect(withOptions(stopped, { backspace: 'none' })).toMatchObject({ stopOn: 'none', backspace: 'none' });
    const noBackspace = withOptions(defaultOptions, { backspace: 'none' });
    expect(withOptions(noBackspace, { stopOn: 'word' })).toMatchObject({ stopOn: 'word', backspace: 'free' });
  });
});

describe('m on the results', () => {
  test('practises the missed words until its results are left', () => {
    const done = pressAll(fresh(), 'the cxat<backspace><backspace><backspace>at ').state;
    const roundSetup = pressAll(done, 'm', 5000);
    expect(roundSetup.effects).toEqual(['new-round']);
    expect(sessionSetup(roundSetup.state)).toMatchObject({
      mode: { type: 'drill', on: 'words', text: 'cat cat cat' },
      // The words may be of a text of the typist's own that an earlier start began.
      isCustomText: true,
    });
    const again = pressAll(beginRound(roundSetup.state, ['cat', 'cat', 'cat']), 'cat cat cat ').state;
    expect(sessionSetup(pressAll(again, '<enter>', 5000).state).mode).toEqual(defaultOptions.mode);
  });

  test('says so if there is nothing to practise', () => {
    const { state, effects } = pressAll(pressAll(fresh(), 'the cat ').state, 'm', 5000);
    expect([state.screen, state.notice, effects]).toEqual([
      'results',
      'Nothing to practise: no word missed.',
      [],
    ]);
  });
});
