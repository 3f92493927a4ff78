import { describe, expect, test } from 'vitest';
import { openLibrary } from '../../../src/server/typing/library.ts';
import { optionRows } from '../../../src/tui/record/option-table.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import { type Choices, findEntries } from '../../../src/tui/screens/palette.ts';
import { withNewRound } from '../../../src/tui/screens/reaction.ts';
import { newState, type State } from '../../../src/tui/state/state.ts';
import { sampleWords as words } from '../../support/typed-rounds.ts';
import { typeText } from '../round/round-picture.ts';
import { pressAll } from './press.ts';
import { freshRound } from './sample.ts';

const alphabet = '';

const catalog = {
  languages: [
    { id: 'en', name: 'English', alphabet },
    { id: 'de', name: 'Deutsch', alphabet },
    { id: 'fr', name: 'Français', alphabet },
  ],
  layouts: [
    { id: 'de-austria', name: 'German (Austria)' },
    { id: 'qwertz', name: 'German' },
    { id: 'dvorak', name: 'Dvorak' },
    { id: 'colemak', name: 'Colemak' },
    { id: 'colemak-dh', name: 'Colemak-DH' },
    { id: 'dz-azerty-deadkeys', name: 'Kabyle (AZERTY, with dead keys)' },
    { id: 'gb-dvorakukp', name: 'English (UK, Dvorak, with UK punctuation)' },
  ].map((layout) => ({ ...layout, rows: [], fingers: {} })),
};

const choices = { catalog, options: defaultOptions };

const first = (query: string, given: Choices = choices) => {
  const [entry] = findEntries(given, query);
  return entry && `${entry.group}: ${entry.label}`;
};

/** A round of which this text is typed. */
const typingState = (text: string): State => ({
  ...newState(defaultOptions),
  round: typeText(freshRound(), text),
  catalog,
});

describe('the palette', () => {
  test.each([
    ['45', 'Time: 45 seconds'],
    ['words 40', 'Words: 40 words'],
    ['german', 'Language: Deutsch'],
    ['francais', 'Language: Français'],
    ['dvorak', 'Layout: Dvorak'],
    ['german layout', 'Layout: German'],
    ['long quote', 'Quote: long'],
    ['ember', 'Option: Theme: classic'],
    ['color', 'Option: Theme: classic'],
    ['history', 'Screen: History'],
    ['punct', 'Option: Punctuation: off'],
  ])('"%s" finds %s first', (query, wanted) => {
    expect(first(query)).toBe(wanted);
  });

  test('finds every option by the name of each of its values, and without a server no language and no layout', () => {
    const nowhere = { ...choices, catalog: undefined };
    for (const { label, names } of optionRows) {
      for (const name of names) {
        const found = findEntries(nowhere, `${label} ${name}`).map((entry) => entry.label);
        expect(found.filter((text) => text.startsWith(`${label}: `))).toHaveLength(1);
      }
    }
    expect(findEntries(nowhere, 'dvorak')).toEqual([]);
  });

  test('opens with modes, then screens and options, each with its value, before languages', () => {
    const all = findEntries(choices, '');
    const groups = [...new Set(all.map(({ group }) => group))];
    expect(groups.slice(0, 2)).toEqual(['Words', 'Time']);
    expect(groups.slice(-4)).toEqual(['Screen', 'Option', 'Language', 'Layout']);
    const options = all.filter(({ group }) => group === 'Option');
    expect(options.map(({ label }) => label.split(':')[0])).toEqual(optionRows.map(({ label }) => label));
    const second = all.findIndex(({ group }) => group === 'Option') + 1;
    const opened = pressAll(typingState(''), `<ctrl-p>${'<down>'.repeat(second)}<enter>`);
    expect(opened.state).toMatchObject({ screen: 'options', optionRow: 1 });
  });

  test('has every language of code', () => {
    const found = findEntries(choices, '').filter(({ group }) => group === 'Code');
    expect(found.map(({ label }) => label).sort()).toEqual(openLibrary().codeLanguages().toSorted());
  });

  test('has only layouts on which the letters of some language can be typed', () => {
    const { languages, layouts } = openLibrary();
    const whole = { languages: languages(), layouts: layouts() };
    const found = findEntries({ ...choices, catalog: whole }, '').filter(({ group }) => group === 'Layout');
    expect(found.length).toBeGreaterThan(100);
    expect(found.length).toBeLessThan(layouts().length);
    expect(first('colemak', { ...choices, catalog: whole })).toBe('Layout: Colemak');
  });

  test('leaves play, and keeps a round under way for a later start', () => {
    expect(pressAll(typingState('lob'), '<ctrl-p>quit<enter>').effects).toEqual(['quit-keeping']);
  });

  test('starts a round of a chosen mode at once and saves it; the previous text is left', () => {
    const state = { ...typingState(''), customText: { text: 'x', title: 'x' } };
    const chosen = pressAll(state, '<ctrl-p>time 90<enter>');
    expect(chosen.effects).toEqual(['save-options', 'new-round']);
    expect(chosen.state).toMatchObject({ screen: 'typing', round: undefined, customText: undefined });
    expect(chosen.state.options.mode).toEqual({ type: 'time', seconds: 90 });
  });

  test('Esc or Ctrl+P returns to the round as it was', () => {
    for (const back of ['escape', 'ctrl-p'] as const) {
      const { state: after } = pressAll(typingState('lob'), `<ctrl-p>zz<${back}>`);
      expect([after.screen, after.round?.progress.input]).toEqual(['typing', ['l', 'o', 'b']]);
    }
  });

  test('abandons an advanced round only when asked twice', () => {
    const once = pressAll(typingState(`${words.slice(0, 6).join(' ')} `), '<ctrl-p>german<enter>');
    expect([once.state.screen, once.state.palette.isConfirming, once.effects]).toEqual(['palette', true, []]);
    expect(pressAll(once.state, '<down>').state.palette.isConfirming).toBe(false);
    const twice = pressAll(once.state, '<enter>');
    expect([twice.state.options.language, twice.effects]).toEqual(['de', ['save-options', 'new-round']]);
  });
});

test('a language that the layout has no letters for comes with a sentence that names one which has them', () => {
  const library = openLibrary();
  const catalog = { languages: library.languages(), layouts: library.layouts() };
  const choose = (state: State, query: string) => {
    return withNewRound(pressAll({ ...state, catalog }, `<ctrl-p>${query}<enter>`).state, freshRound());
  };
  const german = choose(newState(defaultOptions), 'german');
  expect(german.notice).toBe('QWERTY lacks ä, ö, ß, ü. Ctrl+P: layout German.');
  expect(choose({ ...german, options: { ...german.options, layout: 'qwertz' } }, 'german').notice).toBe('');
  expect(choose(newState(defaultOptions), 'indonesian').notice).toBe('');
  // Marks are typed with keys of their own, and the layout of a language has its other letters with AltGr.
  for (const [layout, language] of [
    ['es', 'spanish'],
    ['azerty', 'french'],
    ['pl', 'polish'],
  ] as const)
    expect(choose(newState({ ...defaultOptions, layout }), language).notice).toBe('');
  expect(choose(newState(defaultOptions), 'russian').notice).toContain('Ctrl+P: layout Russian');
});
