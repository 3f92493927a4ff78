import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyHistory, type HistoryFile } from '../../../src/announcements/announcement.ts';
import { publish, withdraw } from '../../../src/announcements/changes/history-edit.ts';
import {
  addEvents,
  backOff,
  claim,
  newOutbox,
  type OutboxState,
  parseOutbox,
  settle,
} from '../../../src/server/webhooks/outbox-state.ts';
import { createStaleCopyCheck } from '../../../src/server/webhooks/webhook-runner.ts';

const start = Date.UTC(2026, 0, 1);
const day = 86_400_000;

function withAnnouncements(count: number): HistoryFile {
  let history = emptyHistory;
  for (let at = 0; at < count; at += 1) {
    const outcome = publish(
      history,
      { message: 'x'.repeat(200), alongside: true, published: start, expires: start + 365 * day },
      { by: 'ada', at: start },
    );
    if ('history' in outcome) history = outcome.history;
  }
  return history;
}

const blank = newOutbox('scope', emptyHistory, start);
const enlisted = (count: number, targets: readonly string[] = ['t']) =>
  addEvents(blank, withAnnouncements(count), targets, start + 1000);

const resultOf = ({ deliveries }: OutboxState, at: number) => ({ id: deliveries[at]?.id ?? '', target: 't' });

test('the same state is returned if nothing happened', () => {
  const state = enlisted(3);
  expect(addEvents(state, withAnnouncements(3), ['t'], start + 5000)).toBe(state);
  expect(claim(state, { targets: [], now: start + 5000, leaseFor: 1, lease: 'l' })).toBe(state);
});

test('each receiver gets each message, with the same id, which is derived from the event', () => {
  const { deliveries } = enlisted(1, ['a', 'b']);
  expect(deliveries.map(({ target }) => target)).toEqual(['a', 'b']);
  expect(deliveries[0]?.id).toBe(deliveries[1]?.id);
  expect(enlisted(1).deliveries[0]?.id).toBe(deliveries[0]?.id);
  const other = addEvents({ ...blank, scope: 'other' }, withAnnouncements(1), ['a'], start + 1000);
  expect(other.deliveries[0]?.id).not.toBe(deliveries[0]?.id);
});

test('a server whose copy is older than what another has seen reports nothing, unless it stays older', () => {
  let ticks = 0;
  const isLate = createStaleCopyCheck(() => ticks);
  const seen = enlisted(3);
  const [late, whole] = [withAnnouncements(2), withAnnouncements(3)];
  expect(isLate(late, seen)).toBe(true);
  ticks = 29_999;
  expect(isLate(late, seen)).toBe(true);
  // It has caught up, and falls behind again.
  expect(isLate(whole, seen)).toBe(false);
  ticks = 40_000;
  expect(isLate(late, seen)).toBe(true);
  // What an operator has restored from a backup is short for good.
  ticks = 70_000;
  expect(isLate(late, seen)).toBe(false);
  expect(isLate(late, newOutbox('scope', late, start))).toBe(false);
});

test('a receiver gets one message at a time, and one with an expired lease again', () => {
  const first = claim(enlisted(2), { targets: ['t'], now: start + 2000, leaseFor: 1000, lease: 'one' });
  expect(first.deliveries.map(({ lease }) => lease)).toEqual(['one', '']);
  expect(claim(first, { targets: ['t'], now: start + 2500, leaseFor: 1000, lease: 'two' })).toBe(first);
  const again = claim(first, { targets: ['t'], now: start + 3000, leaseFor: 1000, lease: 'two' });
  expect(again.deliveries.map(({ lease }) => lease)).toEqual(['two', '']);
  const late = settle(again, { ...resultOf(again, 0), lease: 'one', result: 'failed', now: start + 3100 });
  expect(late.deliveries).toEqual(again.deliveries);
});

test('retries come after 1, 2, 4 … seconds, at most a day; a success makes the others due at once', () => {
  expect([1, 2, 3, 10, 18, 1000].map(backOff)).toEqual([1000, 2000, 4000, 512_000, day, day]);
  let state = enlisted(2);
  const failing = state.deliveries[0];
  state = claim(state, { targets: ['t'], now: start + 2000, leaseFor: 1000, lease: 'l' });
  state = settle(state, { ...resultOf(state, 0), lease: 'l', result: 'failed', now: start + 2000 });
  expect(state.deliveries[0]).toMatchObject({ attempts: 1, due: start + 3000, lease: '' });
  state = settle(state, { ...resultOf(state, 1), lease: '', result: 'delivered', now: start + 2100 });
  expect(state.deliveries).toMatchObject([{ id: failing?.id, due: start + 2100 }]);
});

test('it is bounded in number and bytes: the oldest messages are dropped', () => {
  const { deliveries } = enlisted(1_200);
  expect(deliveries).toHaveLength(1_000);
  const large: OutboxState = {
    ...blank,
    deliveries: Array.from({ length: 5 }, (_, at) => ({
      id: `m${at}`,
      target: 't',
      body: 'x'.repeat(1024 * 1024),
      attempts: 0,
      due: start,
      lease: '',
    })),
  };
  const more = addEvents(large, withAnnouncements(1), ['t'], start + 1000);
  expect(more.deliveries.map(({ id }) => id).slice(0, 3)).toEqual(['m2', 'm3', 'm4']);
});

test('it reads what it writes; anything else is not an outbox', () => {
  const state = enlisted(2);
  expect(parseOutbox(JSON.stringify(state))).toEqual(state);
  fc.assert(fc.property(fc.json(), (text) => parseOutbox(text) === undefined));
  expect(parseOutbox(JSON.stringify(state).slice(0, -5))).toBeUndefined();
});

describe('law: whatever fails and whichever process is killed', () => {
  test('each message is delivered to each receiver in the end, and none before it is claimed', () => {
    const step = fc.record({
      kind: fc.constantFrom('claim', 'deliver', 'fail', 'release', 'die', 'publish', 'withdraw'),
      wait: fc.integer({ min: 0, max: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let history = emptyHistory;
        let state = blank;
        let now = start;
        let attempt = 0;
        const told = new Set<string>();
        const expected = new Set<string>();
        const held: { id: string; target: string; lease: string }[] = [];
        const targets = ['a', 'b'];
        const look = () => {
          const lease = `l${attempt++}`;
          state = addEvents(state, history, targets, now);
          for (const { id, target } of state.deliveries) expected.add(`${id} ${target}`);
          state = claim(state, { targets, now, leaseFor: 3_000, lease });
          held.push(...state.deliveries.filter((delivery) => delivery.lease === lease));
        };
        const settleOne = (result: 'delivered' | 'failed' | 'released') => {
          const one = held.shift();
          if (one === undefined) return;
          if (result === 'delivered') told.add(`${one.id} ${one.target}`);
          state = settle(state, { ...one, result, now });
        };
        for (const { kind, wait } of steps) {
          now += wait;
          const by = { by: 'ada', at: now };
          if (kind === 'publish') {
            const outcome = publish(history, { message: 'm', published: now, expires: now + 20_000 }, by);
            if ('history' in outcome) history = outcome.history;
          } else if (kind === 'withdraw') {
            const outcome = withdraw(history, history.announcements.at(-1)?.id ?? '', by);
            if ('history' in outcome) history = outcome.history;
          } else if (kind === 'die') held.length = 0;
          else if (kind === 'claim') look();
          else settleOne(kind === 'deliver' ? 'delivered' : kind === 'fail' ? 'failed' : 'released');
        }
        for (let round = 0; round < 600 && (round < 2 || state.deliveries.length > 0); round += 1) {
          now += day;
          look();
          while (held.length > 0) settleOne('delivered');
        }
        expect(state.deliveries).toEqual([]);
        expect([...expected].filter((name) => !told.has(name))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
