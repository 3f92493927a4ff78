import { describe, expect, test } from 'vitest';
import { reduceApp } from '../../../src/tui/app/app-events.ts';
import { pressKey } from '../../../src/tui/app/app-keys.ts';
import type { StampedKey } from '../../../src/tui/input/key.ts';
import { parseOffers } from '../../../src/tui/link/session/catalog.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import { type App, toSetup } from '../../../src/tui/state/app-state.ts';
import { optionRows } from '../../../src/tui/state/option-rows.ts';
import { findEntries } from '../../../src/tui/state/palette.ts';
import type { Choices } from '../../../src/tui/state/palette-entries.ts';
import { typingApp, words } from '../screens/sample.ts';

const catalog = {
  languages: [
    { id: 'en', name: 'English' },
    { id: 'de', name: 'Deutsch' },
    { id: 'fr', name: 'Français' },
  ],
  layouts: [
    { id: 'qwertz', name: 'German' },
    { id: 'de-austria', name: 'German (Austria)' },
    { id: 'dvorak', name: 'Dvorak' },
    { id: 'colemak', name: 'Colemak' },
    { id: 'colemak-dh', name: 'Colemak-DH' },
    { id: 'dz-azerty-deadkeys', name: 'Kabyle (AZERTY, with dead keys)' },
    { id: 'gb-dvorakukp', name: 'English (UK, Dvorak, with UK punctuation)' },
  ],
};

const choices = { catalog, options: defaultOptions };

const first = (query: string, given: Choices = choices) => {
  const [entry] = findEntries(given, query);
  return entry && `${entry.group}: ${entry.label}`;
};

let time = 10_000;
const key = (name: StampedKey['name'], text = ''): StampedKey => {
  time += 1000;
  return { name, text, time, unix: time, measured: true, repeat: false, together: false };
};

function pressAll(app: App, ...keys: StampedKey[]) {
  let reaction: ReturnType<typeof pressKey> = { app, effects: [] };
  for (const one of keys) reaction = pressKey(reaction.app, one);
  return reaction;
}

const search = (text: string) =>
  [...text].map((char) => (char === ' ' ? key('space') : key('character', char)));

describe('the palette', () => {
  test.each([
    ['15', 'Time: 15 seconds'],
    ['15-second test', 'Time: 15 seconds'],
    ['timer', 'Time: 15 seconds'],
    ['45', 'Time: 45 seconds'],
    ['time 90', 'Time: 90 seconds'],
    ['words 40', 'Words: 40 words'],
    ['german', 'Language: Deutsch'],
    ['german words', 'Language: Deutsch'],
    ['ger', 'Language: Deutsch'],
    ['deu', 'Language: Deutsch'],
    ['francais', 'Language: Français'],
    ['dvorak', 'Layout: Dvorak'],
    ['dvorak layout', 'Layout: Dvorak'],
    ['colemak-dh', 'Layout: Colemak-DH'],
    ['colemak', 'Layout: Colemak'],
    ['python', 'Code: python'],
    ['long quote', 'Quote: long'],
    ['bigrams', 'Drill: bigrams'],
    ['guided', 'Guided: letter by letter'],
    ['weak', 'Drill: letters'],
    ['weak letters', 'Drill: letters'],
    ['weak keys', 'Drill: letters'],
    ['weak words', 'Drill: words'],
    ['weakest letters', 'Drill: letters'],
    ['practice', 'Drill: letters'],
    ['yesterday', 'Screen: Yesterday'],
    ['yesterday’s results', 'Screen: Yesterday'],
    ["yesterday's results", 'Screen: Yesterday'],
    ['today', 'Screen: Today'],
    ['results', 'Screen: History'],
    ['last results', 'Screen: History'],
    ['stats', 'Screen: History'],
    ['ember', 'Theme: ember'],
    ['punct on', 'Punctuation: on'],
    ['dvrk', 'Layout: Dvorak'],
    ['import', 'Import: rounds of monkeytype or keybr'],
    ['monkeytype', 'Import: rounds of monkeytype or keybr'],
    ['profile', 'Profile: options, key and history of its own'],
    ['text', 'Text: a file of your own: type its path here'],
    ['my own text', 'Text: a file of your own: type its path here'],
    ['own text', 'Text: a file of your own: type its path here'],
    ['open', 'Text: a file of your own: type its path here'],
    ['deutsch', 'Language: Deutsch'],
    ['dvo', 'Layout: Dvorak'],
    ['history', 'Screen: History'],
    ['file', 'Text: a file of your own: type its path here'],
    ['chapter.txt', 'Text: chapter.txt'],
    ['punct', 'Punctuation: on'],
    ['punctuation', 'Punctuation: on'],
    ['pace', 'Pace to race: your average'],
    ['pace caret', 'Pace to race: your average'],
    ['caret', 'Pace to race: your average'],
    ['daily', 'Minutes a day: 5 min'],
    ['daily goal', 'Minutes a day: 5 min'],
    ['heat map', 'Screen: History'],
    ['heatmap', 'Screen: History'],
    ['sound', 'Bell at a wrong key: on'],
    ['colors', 'Theme: clear'],
    ['colours', 'Theme: clear'],
    ['1 minute', 'Time: 60 seconds'],
    ['5 minutes', 'Time: 300 seconds'],
    ['1 min', 'Time: 60 seconds'],
    ['3 minutes', 'Time: 180 seconds'],
    ['exit', 'Screen: Leave'],
    ['quit', 'Screen: Leave'],
    ['~/books/a novel.md', 'Text: ~/books/a novel.md'],
  ])('"%s" finds %s first', (query, wanted) => {
    expect(first(query)).toBe(wanted);
  });

  test('looked for by its name, an option offers another value than it has', () => {
    expect(defaultOptions.blind).toBe(false);
    expect(first('blind')).toMatch(/: on$/);
    expect(first('blind', { catalog, options: { ...defaultOptions, blind: true } })).toMatch(/: off$/);
    for (const { label, key } of optionRows)
      expect(findEntries(choices, label)[0]?.choice, label).not.toEqual({
        type: 'set',
        change: { [key]: defaultOptions[key] },
      });
  });

  test('finds the typist’s own layout, even while another one is chosen and no server has answered', () => {
    const ownLayout: Choices['options']['ownLayout'] = {
      id: 'own-0123456789abcdef',
      layout: { name: 'My Board', rows: [['a'], [], [], []], fingers: {} },
    };
    const options = { ...defaultOptions, ownLayout };
    for (const given of [catalog, undefined]) {
      expect(first('board', { catalog: given, options })).toBe('Layout: My Board, your own');
      expect(first('own keyboard', { catalog: given, options })).toBe('Layout: My Board, your own');
    }
  });

  test('reaches every value of every option, and without a server everything except languages and layouts', () => {
    const all = findEntries({ ...choices, catalog: undefined }, '').map(
      ({ group, label }) => `${group}: ${label}`,
    );
    for (const { label, names } of optionRows) {
      for (const name of names) expect(all).toContain(`${label}: ${name}`);
    }
    expect(findEntries({ ...choices, catalog: undefined }, 'dvorak')).toEqual([]);
  });

  test('finds scattered letters of a name only if no word matches', () => {
    const labels = findEntries(choices, 'own').map(
      ({ group, label, aliases }) => `${group} ${label} ${aliases}`,
    );
    expect(labels.length).toBeGreaterThan(0);
    for (const label of labels) expect(label).toMatch(/own/i);
    expect(first('clmk')).toBe('Layout: Colemak');
  });

  test('leaves play, and keeps a round under way for a later start', () => {
    const left = pressAll({ ...typingApp('lob'), catalog }, key('ctrl-p'), ...search('quit'), key('enter'));
    expect(left.effects).toEqual(['break-off']);
  });

  test('says which option was set, and when that begins to count', () => {
    const choose = (query: string) =>
      pressAll({ ...typingApp('lob'), catalog }, key('ctrl-p'), ...search(query), key('enter')).app;
    expect(choose('blind')).toMatchObject({ screen: 'typing', notice: 'Blind: on.' });
    expect(choose('punct').notice).toBe('Punctuation: on, from the next round on.');
  });

  test('says what is done on the command line, and the round continues', () => {
    const chosen = pressAll(
      { ...typingApp('lob'), catalog },
      key('ctrl-p'),
      ...search('import'),
      key('enter'),
    );
    expect([chosen.app.screen, chosen.effects]).toEqual(['typing', []]);
    expect(chosen.app.notice).toContain('typebadge import FILE');
    expect(chosen.app.round?.typed).toEqual(['l', 'o', 'b']);
  });

  test('reads the text of a typed path, which then replaces the mode', () => {
    const asked = pressAll({ ...typingApp(''), catalog }, key('ctrl-p'), ...search('a/b.txt'), key('enter'));
    expect([asked.app.wantedText, asked.effects]).toEqual(['a/b.txt', ['open-text']]);
    const ownText = { text: 'der Text', title: 'b.txt', language: 'de' };
    const taken = reduceApp(asked.app, { type: 'own-text', ownText });
    expect([taken.app.round, taken.effects]).toEqual([undefined, ['new-round']]);
    expect(toSetup(taken.app)).toMatchObject({ mode: { type: 'text', text: 'der Text' }, language: 'de' });
  });

  test('has code without a language, so that its rounds are of one kind', () => {
    const options = { ...defaultOptions, mode: { type: 'code', language: 'go' }, language: 'de' } as const;
    expect(toSetup({ ...typingApp(''), options }).language).toBe('en');
  });

  test('asks the server only once what it offers', () => {
    const opened = pressAll(typingApp(''), key('ctrl-p'));
    expect([opened.app.screen, opened.effects]).toEqual(['palette', ['load-catalog']]);
    expect(pressAll({ ...typingApp(''), catalog }, key('ctrl-p')).effects).toEqual([]);
  });

  test('opened before there is a server, it asks as soon as there is one', () => {
    const { app } = pressAll({ ...typingApp(''), round: undefined }, key('ctrl-p'), ...search('dvorak'));
    const findings = { delivered: 0, left: undefined, heldUp: [], awaited: [] };
    expect(reduceApp(app, { type: 'start', ...findings }).effects).toEqual(['new-round', 'load-catalog']);
    const closed = pressAll(app, key('escape')).app;
    expect(reduceApp(closed, { type: 'start', ...findings }).effects).toEqual(['new-round']);
  });

  test('searches again when the list is there, and the cursor stays on its entry', () => {
    const asked = pressAll(typingApp(''), key('ctrl-p'), ...search('dvorak')).app;
    expect(findEntries(asked, 'dvorak')).toEqual([]);
    const found = reduceApp(asked, { type: 'catalog', catalog }).app;
    expect(pressAll(found, key('enter')).app.options.layout).toBe('dvorak');
    const moved = pressAll(typingApp(''), key('ctrl-p'), ...search('de'), key('down'), key('down')).app;
    const before = findEntries(moved, 'de')[moved.palette.row];
    const after = reduceApp(moved, { type: 'catalog', catalog }).app;
    expect(findEntries(after, 'de')[after.palette.row]).toEqual(before);
    expect(after.palette.row).toBeGreaterThan(moved.palette.row);
  });

  test('says so where nobody knows the list, until it is asked for again', () => {
    const missing = reduceApp(pressAll(typingApp(''), key('ctrl-p')).app, {
      type: 'catalog',
      catalog: undefined,
    });
    expect([missing.app.isCatalogMissing, missing.app.catalog]).toEqual([true, undefined]);
    const again = pressAll(missing.app, key('escape'), key('ctrl-p'));
    expect([again.app.isCatalogMissing, again.effects]).toEqual([false, ['load-catalog']]);
    const known = { ...typingApp(''), catalog };
    expect(reduceApp(known, { type: 'catalog', catalog: undefined }).app).toBe(known);
  });

  test('starts a round of a chosen mode at once and saves it; the previous text is left', () => {
    const app = { ...typingApp(''), catalog, ownText: { text: 'x', title: 'x' } };
    const chosen = pressAll(app, key('ctrl-p'), ...search('time 90'), key('enter'));
    expect(chosen.effects).toEqual(['save-options', 'new-round']);
    expect(chosen.app).toMatchObject({ screen: 'typing', round: undefined, ownText: undefined });
    expect(chosen.app.options.mode).toEqual({ type: 'time', seconds: 90 });
  });

  test('sets an option without a new round, and Esc or Ctrl+P returns to the round as it was', () => {
    const app = { ...typingApp('lob'), catalog };
    const set = pressAll(app, key('ctrl-p'), ...search('ember'), key('enter'));
    expect([set.app.options.theme, set.app.screen, set.effects]).toEqual([
      'ember',
      'typing',
      ['save-options'],
    ]);
    for (const back of ['escape', 'ctrl-p'] as const) {
      const { app: after } = pressAll(app, key('ctrl-p'), ...search('zz'), key(back));
      expect([after.screen, after.round?.typed]).toEqual(['typing', ['l', 'o', 'b']]);
    }
  });

  test('abandons an advanced round only when asked twice', () => {
    const app = { ...typingApp(`${words.slice(0, 6).join(' ')} `), catalog };
    const once = pressAll(app, key('ctrl-p'), ...search('german'), key('enter'));
    expect([once.app.screen, once.app.palette.isSure, once.effects]).toEqual(['palette', true, []]);
    expect(pressAll(once.app, key('down')).app.palette.isSure).toBe(false);
    const twice = pressAll(once.app, key('enter'));
    expect([twice.app.options.language, twice.effects]).toEqual(['de', ['save-options', 'new-round']]);
  });

  test('wraps around when moving, and chooses nothing if nothing is found', () => {
    const { app } = pressAll({ ...typingApp(''), catalog }, key('ctrl-p'), ...search('colemak'));
    expect(pressAll(app, key('up')).app.palette.row).toBe(findEntries(choices, 'colemak').length - 1);
    expect(pressAll(app, key('up'), key('down')).app.palette.row).toBe(0);
    const none = pressAll(app, ...search('qqqq'));
    expect(pressAll(none.app, key('down'), key('enter'))).toEqual({ app: none.app, effects: [] });
  });

  test('accepts from a server only what can be drawn and requested', () => {
    const languages = [{ id: 'de', name: 'Deu\x1b[2Jtsch' }, { id: '../x' }, null, 'en', { id: 'fr' }];
    const offers = parseOffers({ languages }, 'languages');
    expect(offers.map(({ id }) => id)).toEqual(['de', 'fr']);
    for (const { name } of offers) expect(name).not.toMatch(/\p{Cc}/u);
    expect(parseOffers(undefined, 'languages')).toEqual([]);
  });
});
