import { expect, test } from 'vitest';
import { pressKey } from '../../../src/tui/app/app-keys.ts';
import type { Effect } from '../../../src/tui/app/reaction.ts';
import type { KeyName } from '../../../src/tui/input/key.ts';
import type { App } from '../../../src/tui/state/app-state.ts';
import { historyApp } from '../screens/sample.ts';

/** Names of keys; one character is typed. */
function press(app: App, ...names: readonly string[]): { app: App; effects: Effect[] } {
  const effects: Effect[] = [];
  let current = app;
  for (const name of names) {
    const key =
      name.length === 1 ? { name: 'character' as const, text: name } : { name: name as KeyName, text: '' };
    const stamps = { time: 0, unix: 0, measured: true, repeat: false, together: false };
    const reaction = pressKey(current, { ...key, ...stamps });
    current = reaction.app;
    effects.push(...reaction.effects);
  }
  return { app: current, effects };
}

test('Tab goes through the pages, a digit opens one, and k switches from accuracy to speed', () => {
  expect(press(historyApp(), 'tab').app.historyView.page).toBe('letters');
  expect(press(historyApp(), 'tab', 'tab', 'tab', 'tab').app.historyView.page).toBe('progress');
  expect(press(historyApp(), '4').app.historyView.page).toBe('rounds');
  expect(press(historyApp(), '2', 'k').app.historyView.measure).toBe('speed');
  expect(press(historyApp(), '9').app.historyView.page).toBe('progress');
});

test('Left and Right cycle through the kinds of rounds, and load what is shown', () => {
  const { app, effects } = press(historyApp(), 'right');
  expect([app.historyView.kind, effects]).toEqual([1, ['load-report']]);
  expect(press(app, 'right').app.historyView.kind).toBe(0);
  expect(press(historyApp(), 'left').app.historyView.kind).toBe(1);
  expect(press(historyApp({ plain: true }), 'right').effects).toEqual(['load-report']);
  expect(press(historyApp({}, { kinds: [] }), 'right').effects).toEqual([]);
});

test('a round is chosen with the arrows and opened with Enter, and Esc goes back one step at a time', () => {
  const rounds = press(historyApp(), '4', 'down', 'down', 'up').app;
  expect(rounds.historyView.round).toBe(1);
  const opened = press(rounds, 'enter').app;
  expect(opened.historyView.isOpen).toBe(true);
  expect(press(opened, 'down').app.historyView).toMatchObject({ round: 2, isOpen: true });
  const closed = press(opened, 'escape').app;
  expect([closed.screen, closed.historyView.isOpen]).toEqual(['history', false]);
  expect(press(closed, 'escape').app.screen).toBe('typing');
});

test('the cursor stops at the first and the last round, and an empty history has nothing to open', () => {
  const rounds = historyApp({}, { page: 'rounds' });
  const last = (rounds.report?.rounds.length ?? 0) - 1;
  expect(press(rounds, 'up').app.historyView.round).toBe(0);
  expect(press(rounds, ...Array<string>(10).fill('page-down')).app.historyView.round).toBe(last);
  expect(press({ ...rounds, report: undefined }, 'down', 'page-down').app.historyView.round).toBe(0);
  expect(press({ ...rounds, report: undefined }, 'enter').app.screen).toBe('typing');
});

test('d goes on to the rounds of today, to those of yesterday and back to all, also as sentences', () => {
  const { app, effects } = press(historyApp({}, { kind: 1, round: 3 }), 'd');
  expect(app.historyView).toMatchObject({ day: 'today', page: 'rounds', kind: 0, round: 0 });
  expect(effects).toEqual(['load-report']);
  const yesterday = press(app, '2', 'd').app.historyView;
  expect(yesterday).toMatchObject({ day: 'yesterday', page: 'letters' });
  expect(press(app, 'd', 'd').app.historyView.day).toBe('all days');
  expect(press(historyApp({ plain: true }), 'd').effects).toEqual(['load-report']);
});

test('"yes" in the palette opens the rounds of yesterday', () => {
  const { app, effects } = press(historyApp(), 'ctrl-p', 'y', 'e', 's', 'enter');
  expect([app.screen, app.historyView.day, app.historyView.page]).toEqual(['history', 'yesterday', 'rounds']);
  expect(effects.at(-1)).toBe('load-report');
});
