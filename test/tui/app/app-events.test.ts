import { describe, expect, test } from 'vitest';
import { type AppEvent, reduceApp } from '../../../src/tui/app/app-events.ts';
import type { DeliveryStatus } from '../../../src/tui/link/delivery/delivery-state.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import { type App, beginRound, newApp } from '../../../src/tui/state/app-state.ts';
import { defaultRules } from '../../../src/typing/rules/rules.ts';
import { drawRound, typeRound } from '../round/round-picture.ts';
import { history } from '../screens/sample.ts';

const words = ['the', 'cat'];
const fresh = beginRound(newApp(defaultOptions), words);
const reduceAll = (app: App, ...events: AppEvent[]) =>
  events.reduce((state, event) => reduceApp(state, event).app, app);

const quiet: DeliveryStatus = { confirmed: 1, total: 2, away: '', lost: '' };

describe('events of the app', () => {
  test('a server without earlier rounds gives the first words; rounds delivered to it are mentioned', () => {
    const started = reduceApp(newApp(defaultOptions), {
      type: 'start',
      delivered: 2,
      left: undefined,
      heldUp: [],
      awaited: ['http://typo.example:8787/', 'offline'],
    });
    expect(started.effects).toEqual(['new-round']);
    const first = reduceAll(started.app, { type: 'words', words, rules: defaultRules });
    expect(first.notice).toBe(
      '2 earlier rounds delivered to the server now. 2 rounds wait for typo.example:8787: see typebadge play --waiting.',
    );
    expect(reduceAll(first, { type: 'words', words, rules: defaultRules }).notice).toBe('');
  });

  test('what became of earlier rounds is said before what is practised: a narrow screen cuts the end', () => {
    const app = { ...newApp(defaultOptions), greeting: 'As last time: 5 s.' };
    const findings = { delivered: 1, left: undefined, heldUp: [], awaited: [] };
    expect(reduceAll(app, { type: 'start', ...findings }).greeting).toBe(
      '1 earlier round delivered to the server now. As last time: 5 s.',
    );
  });

  test('the command that lists waiting rounds names the profile in use', () => {
    const app = { ...newApp(defaultOptions), waitingCommand: 'typebadge play --profile work --waiting' };
    const findings = { delivered: 0, left: undefined, heldUp: [], awaited: ['http://typo.example/'] };
    expect(reduceAll(app, { type: 'start', ...findings }).greeting).toBe(
      '1 round waits for typo.example: see typebadge play --profile work --waiting.',
    );
  });

  test.each([
    ['http://127.0.0.1:8787/', 'A round cut off at word 2 waits for 127.0.0.1:8787.'],
    ['inside /data', 'A round cut off at word 2 waits for the server inside play.'],
    ['\u001b[2J', 'A round cut off at word 2 waits for another server.'],
  ])('a round that was cut off on the server %j, which is not there, is mentioned', (server, sentence) => {
    const head = { session: 's', server, punctuation: false, words, rules: defaultRules, pid: 1, created: 0 };
    const cutOff = {
      path: '',
      head,
      inputs: [...typeRound(words, 'the c').inputs],
      isOver: false,
      mayBeThere: false,
    };
    const findings = { delivered: 0, left: undefined, heldUp: [cutOff], awaited: [] };
    const started = reduceApp(newApp(defaultOptions), { type: 'start', ...findings });
    expect([started.effects, started.app.greeting]).toEqual([['new-round'], sentence]);
  });

  test('an interrupted round is offered before anything else, and continues where it was', () => {
    const head = {
      session: 's',
      server: 'x',
      punctuation: false,
      words,
      rules: defaultRules,
      pid: 1,
      created: 0,
    };
    const left = {
      path: '',
      head,
      inputs: [...typeRound(words, 'the c').inputs],
      isOver: false,
      mayBeThere: false,
    };
    const started = reduceApp(newApp(defaultOptions), {
      type: 'start',
      delivered: 0,
      left,
      heldUp: [],
      awaited: [],
    });
    expect([started.app.screen, started.effects]).toEqual(['resume', []]);
    const taken = reduceAll(started.app, { type: 'left-round-taken' });
    expect(taken.screen).toBe('typing');
    expect(taken.round && drawRound(taken.round)).toBe('the|[c^at]');
  });

  test('keys that arrive as usual cause no redraw; trouble and its end do', () => {
    expect(reduceAll(fresh, { type: 'delivery', status: quiet })).toBe(fresh);
    const away = reduceAll(fresh, { type: 'delivery', status: { ...quiet, away: 'gone' } });
    expect(away.delivery.away).toBe('gone');
    expect(reduceAll(away, { type: 'delivery', status: quiet }).delivery.away).toBe('');
  });

  test('a disk that cannot be written is mentioned until the server has the round', () => {
    const warned = reduceAll(fresh, { type: 'journal-problem', reason: 'no space' });
    expect(warned.notice).toBe('A crash would lose this round: no space.');
    const statistics = { wpm: 1 } as never;
    const receipt = { statistics, history, unsaved: '' };
    const round = typeRound(words, 'the cat ');
    expect(reduceAll(warned, { type: 'receipt', round, receipt }).notice).toBe('');
    const other = reduceAll(fresh, { type: 'notice', notice: 'Something else.' });
    expect(reduceAll(other, { type: 'receipt', round, receipt }).notice).toBe('Something else.');
  });

  test('a round without a limit that nobody types is paused as of its last key, with its pace', () => {
    const round = typeRound(words, 'the c');
    const typed = { ...fresh, round };
    const later = reduceAll(typed, { type: 'tick', time: 10_400 });
    expect([later.round, later.elapsed]).toEqual([round, 10_400]);
    const idle = reduceAll(later, { type: 'tick', time: 20_400 });
    expect(idle.round).toMatchObject({ isPaused: true, active: 400 });
    expect(idle.elapsed).toBe(400);
  });

  test('a pause before the first key, and a reader without news, leave the same state object', () => {
    expect(reduceAll(fresh, { type: 'pause', time: 5 })).toBe(fresh);
    expect(reduceAll(fresh, { type: 'reader', isOffThread: true })).toBe(fresh);
    expect(reduceAll(newApp(defaultOptions), { type: 'stall', duration: 9 }).round).toBeUndefined();
  });
});
