import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { drawTypingStatus } from '../../../src/tui/draw/typing-status.ts';
import { createLook } from '../../../src/tui/look/look.ts';
import type { App } from '../../../src/tui/state/app-state.ts';
import { history, typingApp } from '../screens/sample.ts';

const width = 38; // of the smallest screen
const look = createLook({ theme: 'ember', ascii: false }, 1);
const none = { ...history, best_standard_wpm: 0, average_standard_wpm: 0, total_sessions: 0 };
const statusOf = (app: App) => stripVTControlCharacters(drawTypingStatus(look, app, width));

describe('before the first key, the status of a round', () => {
  test.each([
    ['best', { history: none }, 'Pace: no best of this kind yet.'],
    ['average', { history: none }, 'Pace: no average of this kind yet.'],
    ['last', { lastMoments: [] }, 'Pace: no last round of this kind yet.'],
  ] as const)('says that there is no %s to race', (pace, known, text) => {
    expect(statusOf({ ...typingApp('', { pace }), ...known })).toBe(text);
    expect(statusOf({ ...typingApp('l', { pace }), ...known })).toBe('');
  });

  test.each([
    ['best', { history }],
    ['average', { history }],
    ['last', { lastMoments: [200] }],
    [60, { history: none }],
    ['off', { history: none }],
    ['best', { history: undefined }],
    ['last', { lastMoments: undefined }],
  ] as const)('says nothing of the pace %s where there is one, and until that is known', (pace, known) => {
    expect(statusOf({ ...typingApp('', { pace }), ...known })).toBe('');
  });

  test('has the goal behind what is missing, where there is room for it', () => {
    const goal = { done: 0, minutes: 15, streak: 0 };
    const app = { ...typingApp('', { pace: 'best' }), history: none, goal };
    expect(drawTypingStatus(look, app, 78)).toContain('Pace: no best of this kind yet. 0 of 15 min today');
    expect(statusOf(app)).toBe('Pace: no best of this kind yet.');
  });
});
