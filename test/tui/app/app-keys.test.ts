import { describe, expect, test } from 'vitest';
import { pressKey } from '../../../src/tui/app/app-keys.ts';
import type { Effect } from '../../../src/tui/app/reaction.ts';
import type { Key, KeyName, StampedKey } from '../../../src/tui/input/key.ts';
import { defaultOptions, type Options } from '../../../src/tui/record/options.ts';
import { noLimits, type RoundLimits } from '../../../src/tui/round/limits.ts';
import { type Practised, usualPractised } from '../../../src/tui/round/practised.ts';
import { type App, beginRound, newApp, toSetup } from '../../../src/tui/state/app-state.ts';
import { optionRows, setOptions, turnOption } from '../../../src/tui/state/option-rows.ts';
import { defaultRules, type Rules } from '../../../src/typing/rules/rules.ts';
import { drawRound } from '../round/round-picture.ts';

const words = ['the', 'cat'];

function fresh(options: Partial<Options> = {}): App {
  return beginRound(newApp({ ...defaultOptions, ...options }), words);
}

/** Names of keys in angle brackets, everything else typed; 100 ms a key. */
function toKeys(text: string): Key[] {
  return [...text.matchAll(/<([a-z0-9-]+)>|(.)/g)].map(([, name, char = '']) => {
    if (name !== undefined) return { name: name as KeyName, text: '' };
    return char === ' ' ? { name: 'space', text: '' } : { name: 'character', text: char };
  });
}

function pressAll(
  app: App,
  text: string,
  from = 0,
  more: Partial<StampedKey> = {},
): { app: App; effects: Effect[] } {
  const effects: Effect[] = [];
  let current = app;
  for (const [at, key] of toKeys(text).entries()) {
    const time = from + at * 100;
    const reaction = pressKey(current, {
      ...key,
      time,
      unix: time,
      measured: true,
      repeat: false,
      together: false,
      ...more,
    });
    current = reaction.app;
    effects.push(...reaction.effects);
  }
  return { app: current, effects };
}

const picture = (app: App) => (app.round === undefined ? 'no words' : drawRound(app.round));

describe('keys while typing', () => {
  test('type, correct and continue', () => {
    expect(picture(pressAll(fresh(), 'tx<backspace>he c').app)).toBe('the|[c^at]');
    expect(picture(pressAll(fresh(), 'the cax<delete-word>').app)).toBe('the|[^cat]');
  });

  test.each([
    ['space', 'the ', 'the|[^cat]'],
    ['space', 'the<enter>', '[the^]|cat'],
    ['enter', 'the<enter>', 'the|[^cat]'],
    ['enter', 'the ', '[the^]|cat'],
    ['either', 'the ', 'the|[^cat]'],
    ['either', 'the<enter>', 'the|[^cat]'],
  ] as const)('a word ends with %s: after %j it is %s', (advance, text, expected) => {
    expect(picture(pressAll(fresh({ advance }), text).app)).toBe(expected);
  });

  test('Tab starts over at once, even in the middle', () => {
    const { app, effects } = pressAll(fresh(), 'th<tab>');
    expect([app.round, effects]).toEqual([undefined, ['new-round']]);
  });

  test('Tab asks after the fifth word, and any other key continues', () => {
    const app = beginRound(newApp(defaultOptions), ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(pressAll(app, 'a b c d x<tab>').effects).toEqual(['new-round']);
    const asked = pressAll(app, 'a b c d e <tab>');
    expect([asked.effects, asked.app.asks]).toEqual([[], 'restart']);
    expect(pressAll(asked.app, '<tab>', 2000).effects).toEqual(['new-round']);
    const goesOn = pressAll(asked.app, 'f<tab>', 2000);
    expect([goesOn.effects, picture(goesOn.app)]).toEqual([[], 'a|b|c|d|e|[f^]|g']);
    expect(pressAll(asked.app, '<escape><tab>', 2000).app.asks).toBe('restart');
  });

  test('Esc leaves a round only when pressed twice in a row', () => {
    expect(pressAll(fresh(), '<escape>').effects).toEqual(['leave']);
    expect(pressAll(fresh(), 't<escape>').effects).toEqual([]);
    expect(pressAll(fresh(), 't<escape><escape>').effects).toEqual(['leave']);
    const goesOn = pressAll(fresh(), 't<escape>h<escape>');
    expect([goesOn.effects, picture(goesOn.app)]).toEqual([[], '[th^e]|cat']);
  });

  test('Ctrl+C, Ctrl+Z and Ctrl+L work everywhere', () => {
    for (const before of ['', '<ctrl-o>', '<ctrl-y>', '<f1>', 'the cat ']) {
      const { app } = pressAll(fresh(), before);
      expect(pressAll(app, '<ctrl-c>', 9000).effects).toEqual(['break-off']);
      expect(pressAll(app, '<ctrl-z>', 9000).effects).toEqual(['suspend']);
      expect(pressAll(app, '<ctrl-l>', 9000).effects).toEqual(['redraw']);
    }
  });

  test('a question mark opens help before a round and is a character in it', () => {
    expect(pressAll(fresh(), '?').app.screen).toBe('help');
    const inside = pressAll(fresh(), 't?').app;
    expect([inside.screen, picture(inside)]).toEqual(['typing', '[t!?^e]|cat']);
    const punctuated = beginRound(newApp(defaultOptions), ['?', 'the']);
    expect(pressAll(punctuated, '?').app.screen).toBe('typing');
    expect(pressAll(fresh(), 't<f1>').app.screen).toBe('help');
  });

  test('options, history and help pause the timer and return to the round', () => {
    for (const [open, effects] of [
      ['<ctrl-o>', []],
      ['<ctrl-y>', ['load-report']],
      ['<f1>', []],
    ] as const) {
      const opened = pressAll(fresh(), `th${open}`);
      expect(opened.app.round?.isPaused).toBe(true);
      expect(opened.effects).toEqual(effects);
      const closed = pressAll(opened.app, '<escape>', 5000).app;
      expect([closed.screen, picture(closed)]).toEqual(['typing', '[th^e]|cat']);
      expect(pressAll(opened.app, open, 5000).app.screen).toBe('typing');
    }
  });

  test('losing the focus pauses; a paste is mentioned and has no effect', () => {
    expect(pressAll(fresh(), 'th<focus-out>').app.round?.isPaused).toBe(true);
    const pasted = pressAll(fresh(), 'th<paste>').app;
    expect([picture(pasted), pasted.notice]).toEqual(['[th^e]|cat', 'Paste ignored: only typing counts.']);
    expect(pressAll(pasted, 'e', 900).app.notice).toBe('');
  });

  test('the bell rings at a wrong key, and only if it is on', () => {
    expect(pressAll(fresh(), 'tx').effects).toEqual([]);
    expect(pressAll(fresh({ sounds: true }), 'tx<backspace>h ').effects).toEqual(['bell', 'bell']);
  });

  test('a key that changes nothing returns the same state object', () => {
    const app = fresh();
    for (const text of ['<backspace>', ' ', '<up>', '<home>', '<focus-in>', '<enter>']) {
      expect(pressAll(app, text).app).toBe(app);
    }
  });
});

describe('the end of a round', () => {
  const modes = [
    { type: 'words', count: 30 },
    { type: 'drill', on: 'letters' },
    { type: 'text', title: 'poem.txt' },
    { type: 'quote', length: 'any' },
    { type: 'code', language: 'python' },
  ] as const;
  const textOf = (mode: (typeof modes)[number]) =>
    beginRound(newApp(defaultOptions), words, defaultRules, { ...usualPractised, mode, lineEnds: [1] });
  const text = textOf({ type: 'text', title: 'poem.txt' });

  test.each(modes)('is its last letter: $type', (mode) => {
    const { app, effects } = pressAll(textOf(mode), 'the cat');
    expect([app.screen, effects]).toEqual(['results', ['finish-round']]);
    const [letter, end] = app.outcome?.round.inputs.slice(-2) ?? [];
    expect(end).toEqual({ ...letter, seq: 8, type: 'space', char: '', seek: 0 });
    expect(app.outcome?.score).toMatchObject({ correct: 6, total: 6, seconds: 0.6 });
  });

  test('waits for a correction, or for the key that ends a word, where the last word is wrong', () => {
    const wrong = pressAll(text, 'the cax').app;
    expect([wrong.screen, picture(wrong)]).toEqual(['typing', 'the|[ca!x^]']);
    expect(pressAll(wrong, '<backspace>t', 700).app.screen).toBe('results');
    expect(pressAll(wrong, '<enter>', 700).app.screen).toBe('results');
    expect(pressAll(text, 'the catt').app.screen).toBe('results'); // what comes later is not part of it
    expect(pressAll(text, 'the cxat').app.screen).toBe('typing');
  });

  test('takes nobody by surprise: a space or Enter typed all the same starts no other round', () => {
    const { app } = pressAll(text, 'the cat');
    expect(pressAll(app, '<enter>', 1500).effects).toEqual([]);
    expect(pressAll(app, ' ', 1500).app.screen).toBe('results');
    expect(pressAll(app, '<enter>', 1700).effects).toEqual(['new-round']);
    const sure = pressAll(fresh({ advance: 'enter' }), 'the<enter>cat').app;
    expect(pressAll(sure, '<enter>', 1500).effects).toEqual([]); // Enter was to end the last word
    expect(pressAll(sure, '<enter>', 1700).effects).toEqual(['new-round']);
  });
});

describe('Enter where a row of text ends', () => {
  const sentence = Array.from({ length: 15 }, () => 'words');
  const mode = { type: 'text', title: 'poem.txt' } as const;
  const textOf = (columns: number, more: Partial<Practised> = {}) => ({
    ...beginRound({ ...newApp(defaultOptions), size: { columns, rows: 24 } }, sentence, defaultRules, {
      ...usualPractised,
      mode,
      ...more,
    }),
  });
  const typed = (count: number) => Array.from({ length: count }, () => 'words').join(' ');

  test('is the space there, although the line goes on: nobody can tell from looking', () => {
    const wide = pressAll(textOf(80), `${typed(12)}<enter>w`).app;
    expect([wide.round?.wordIndex, wide.round?.typed]).toEqual([12, ['w']]);
    const narrow = pressAll(textOf(40), `${typed(6)}<enter>`).app;
    expect(narrow.round?.wordIndex).toBe(6);
    expect(narrow.round?.inputs.at(-1)).toMatchObject({ type: 'space', char: '' });
  });

  test('does nothing in the middle of a row, and nothing where rows are not lines', () => {
    expect(pressAll(textOf(80), `${typed(11)}<enter>`).app.round?.wordIndex).toBe(10);
    const list = textOf(80, { mode: { type: 'words', count: 30 } });
    const asLines = { ...list, options: { ...list.options, view: 'lines' } } as const;
    expect(pressAll(asLines, `${typed(12)}<enter>`).app.round?.wordIndex).toBe(11);
  });

  test('knows the row that is seen, also with letters too many, which a blind round does not show', () => {
    const end = `${typed(11)} wordssss<enter>`; // those letters move the twelfth word to the next row
    expect(pressAll(textOf(80), end).app.round?.wordIndex).toBe(11);
    const open = textOf(80);
    const blind = { ...open, options: { ...open.options, blind: true } };
    expect(pressAll(blind, end).app.round?.wordIndex).toBe(12);
  });
});

describe('keys on the results', () => {
  const done = pressAll(fresh(), 'the cat ').app;

  test('the last letter shows the results', () => {
    expect(done.screen).toBe('results');
    expect(done.outcome?.score).toMatchObject({ correct: 6, total: 6, seconds: 0.6 });
  });

  test('keys still meant for the round do nothing', () => {
    expect(pressAll(done, '<enter><tab>', 750).effects).toEqual([]);
    expect(pressAll(done, '<enter>', 9000, { repeat: true }).effects).toEqual([]);
  });

  test('Enter starts the next round, k shows the other map, Esc leaves, ? opens help', () => {
    expect(pressAll(done, '<enter>', 9000).effects).toEqual(['new-round']);
    expect(pressAll(done, 'k', 9000).app.measure).toBe('speed');
    expect(pressAll(done, 'kk', 9000).app.measure).toBe('accuracy');
    expect(pressAll(done, '<escape>', 9000).effects).toEqual(['leave']);
    const help = pressAll(done, '?', 9000).app;
    expect(pressAll(help, '<escape>', 9100).app.screen).toBe('results');
  });

  test('plain sentences scroll to their end and no further', () => {
    const plain = { ...done, options: { ...done.options, plain: true }, size: { columns: 40, rows: 12 } };
    const down = pressAll(plain, '<down>'.repeat(50), 9000).app;
    const up = pressAll(down, '<up>', 20_000).app;
    expect(up.scroll).toBe(Math.max(0, down.scroll - 1));
    expect(pressAll(down, '<home>', 20_000).app.scroll).toBe(0);
  });
});

describe('keys on the options', () => {
  test('move, change and save', () => {
    const { app, effects } = pressAll(fresh(), '<ctrl-o><down><right><escape>');
    expect([app.screen, app.options.theme]).toEqual(['typing', 'clear']);
    expect(effects).toEqual(['save-options', 'save-options']);
    expect(pressAll(fresh(), '<ctrl-o><up><left>').app.options.plain).toBe(true);
  });
});

describe('keys at an interrupted round', () => {
  const cut: App = { ...fresh(), screen: 'resume' };

  test('Enter continues it, Tab starts another, Esc leaves it for later', () => {
    expect(pressAll(cut, '<enter>').effects).toEqual(['take-left-round']);
    expect(pressAll(cut, '<tab>').effects).toEqual(['drop-left-round', 'new-round']);
    expect(pressAll(cut, '<escape>').effects).toEqual(['leave']);
    expect(pressAll(cut, 'abc<ctrl-o>').app).toBe(cut);
  });
});

describe('rules', () => {
  const limited = (
    limits: Partial<RoundLimits>,
    options: Partial<Options> = {},
    rules: Partial<Rules> = {},
  ) => {
    const practised = { ...usualPractised, limits: { ...noLimits, ...limits } };
    const app = newApp({ ...defaultOptions, ...options });
    return beginRound(app, words, { ...defaultRules, ...rules }, practised);
  };

  test('sudden death shows the results, and the keys that follow start nothing', () => {
    const { app, effects } = pressAll(limited({ suddenDeath: true }), 'thx');
    expect([app.screen, app.outcome?.round.ended, effects]).toEqual(['results', 'mistake', ['finish-round']]);
    expect(pressAll(app, '<enter>', 300).effects).toEqual([]);
    expect(pressAll(app, '<enter>', 5000).effects).toEqual(['new-round']);
  });

  test('typing on starts nothing until a pause, and is ignored for a few seconds at most', () => {
    const { app } = pressAll(limited({ suddenDeath: true }), 'thx');
    const typedOn = pressAll(app, 'e <backspace>cat', 900);
    expect([typedOn.app.screen, typedOn.effects]).toEqual(['results', []]);
    expect(pressAll(typedOn.app, 'm', 2000)).toMatchObject({
      app: { screen: 'results', notice: '' },
      effects: [],
    });
    expect(pressAll(typedOn.app, 'm', 2200).effects).toEqual(['new-round']);
    expect(pressAll(app, 'cat '.repeat(20), 900).app.outcome?.typedOnAt).toBeLessThan(5400);
    expect(pressAll(app, '<enter>', 1300).effects).toEqual(['new-round']);
  });

  test('a space that a rule refuses gets a reason', () => {
    const { app } = pressAll(limited({}, {}, { stopOn: 'word' }), 'thx ');
    expect(picture(app)).toBe('[th!x^]|cat');
    expect(app.notice).toBe('Correct this word first.');
    expect(pressAll(app, '<backspace>').app.notice).toBe('');
  });

  test('blind typing rings no bell', () => {
    expect(pressAll(limited({}, { sounds: true }), 'tx').effects).toEqual(['bell']);
    expect(pressAll(limited({}, { sounds: true, blind: true }), 'tx').effects).toEqual([]);
  });

  test('a word cannot trap a typist: stop on word and no Backspace exclude each other', () => {
    const stopped = setOptions(defaultOptions, { stopOn: 'word' });
    expect(setOptions(stopped, { backspace: 'none' })).toMatchObject({ stopOn: 'none', backspace: 'none' });
    const noBackspace = setOptions(defaultOptions, { backspace: 'none' });
    expect(setOptions(noBackspace, { stopOn: 'word' })).toMatchObject({ stopOn: 'word', backspace: 'free' });
  });

  test('a custom limit is between two values of the options screen', () => {
    const row = optionRows.findIndex(({ key }) => key === 'minWpm');
    const own = { ...defaultOptions, minWpm: 47 };
    expect([turnOption(own, row, 1).minWpm, turnOption(own, row, -1).minWpm]).toEqual([50, 40]);
  });
});

describe('m on the results', () => {
  test('practises the missed words until its results are left', () => {
    const done = pressAll(fresh(), 'the cxat<backspace><backspace><backspace>at ').app;
    const practised = pressAll(done, 'm', 5000);
    expect(practised.effects).toEqual(['new-round']);
    expect(toSetup(practised.app).mode).toEqual({ type: 'drill', on: 'words', text: 'cat cat cat' });
    const again = pressAll(beginRound(practised.app, ['cat', 'cat', 'cat']), 'cat cat cat ').app;
    expect(toSetup(pressAll(again, '<enter>', 5000).app).mode).toEqual(defaultOptions.mode);
  });

  test('says so if there is nothing to practise', () => {
    const { app, effects } = pressAll(pressAll(fresh(), 'the cat ').app, 'm', 5000);
    expect([app.screen, app.notice, effects]).toEqual([
      'results',
      'Nothing to practise: no word was missed or slow.',
      [],
    ]);
  });
});
