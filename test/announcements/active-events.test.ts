import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstSeen, followActive } from '../../src/announcements/active-events.ts';
import { emptyHistory, type HistoryFile } from '../../src/announcements/announcement.ts';
import {
  type EditOutcome,
  edit,
  expire,
  publish,
  withdraw,
} from '../../src/announcements/changes/history-edit.ts';
import { undo } from '../../src/announcements/changes/history-undo.ts';

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;
const at = (minutes: number) => start + minutes * minute;
const by = (minutes: number) => ({ by: 'ada', at: at(minutes) });

function done(outcome: EditOutcome): HistoryFile {
  if ('problem' in outcome) throw new Error(outcome.problem);
  return outcome.history;
}
const published = (history: HistoryFile, id: string, from: number, to: number, now = from) =>
  done(publish(history, { message: id, id, published: at(from), expires: at(to) }, by(now)));
const alongside = (history: HistoryFile, id: string, from: number, to: number, now = from) =>
  done(publish(history, { message: id, id, alongside: true, published: at(from), expires: at(to) }, by(now)));

/** `10 started a, 20 ended a`: minutes, what, which. */
function told(events: ReturnType<typeof followActive>['events']): string {
  return events
    .map((event) => `${(Date.parse(event.at) - start) / minute} ${event.type} ${event.announcement.id}`)
    .join(', ');
}

describe('events since the last look', () => {
  const seen = firstSeen(emptyHistory, at(0));

  test('a scheduled announcement that came and went is reported with its times', () => {
    const history = published(emptyHistory, 'a', 10, 20, 5);
    expect(told(followActive(history, seen, at(60)).events)).toBe('10 started a, 20 ended a');
    expect(told(followActive(history, seen, at(15)).events)).toBe('10 started a');
  });

  test('one that was published, corrected and withdrawn is reported, although it left no trace', () => {
    let history = published(emptyHistory, 'a', 10, 500);
    history = done(edit(history, 'a', { message: 'b' }, by(11)));
    history = done(withdraw(history, 'a', by(12)));
    expect(told(followActive(history, seen, at(60)).events)).toBe('10 started a, 11 changed a, 12 ended a');
  });

  test('an undone publication ends too', () => {
    const history = published(emptyHistory, 'a', 10, 500);
    const undone = undo(history, undefined, by(20));
    if ('problem' in undone) throw new Error(undone.problem);
    expect(told(followActive(undone.history, seen, at(60)).events)).toBe('10 started a, 20 ended a');
  });

  test('a later announcement ends the earlier one, which starts again when the later one is withdrawn', () => {
    let history = published(emptyHistory, 'a', 10, 500);
    history = published(history, 'b', 20, 500);
    history = done(withdraw(history, 'b', by(30)));
    expect(told(followActive(history, seen, at(60)).events)).toBe(
      '10 started a, 20 ended a, 20 started b, 30 ended b, 30 started a',
    );
  });

  test('an early end counts, and a moved expiry is a change', () => {
    let history = published(emptyHistory, 'a', 10, 500);
    history = done(edit(history, 'a', { expires: at(400) }, by(11)));
    history = done(expire(history, 'a', at(50), by(12)));
    expect(told(followActive(history, seen, at(60)).events)).toBe(
      '10 started a, 11 changed a, 12 changed a, 50 ended a',
    );
  });

  test('for a file edited by hand, the overall difference is reported', () => {
    const history = published(emptyHistory, 'a', 10, 500);
    const entry = history.announcements[0] as HistoryFile['announcements'][number];
    const byHand = { ...history, announcements: [{ ...entry, message: 'by hand' }], changes: [] };
    const before = followActive(history, seen, at(15));
    expect(told(followActive(byHand, before.seen, at(60)).events)).toBe('60 changed a');
  });
});

test('a clock that was set back makes nothing be reported twice', () => {
  const history = published(emptyHistory, 'a', 10, 20, 5);
  const first = followActive(history, firstSeen(emptyHistory, at(0)), at(15));
  const back = followActive(history, first.seen, at(2));
  expect([told(back.events), back.seen.at]).toEqual(['', first.seen.at]);
  expect(told(followActive(history, back.seen, at(30)).events)).toBe('20 ended a');
});

type Deed = {
  readonly kind: 'publish' | 'alongside' | 'edit' | 'withdraw' | 'expire' | 'undo';
  readonly for: number;
};

/** A life of some announcements: deeds a few minutes apart. */
function live(deeds: readonly Deed[]): { readonly history: HistoryFile; readonly end: number } {
  let history = emptyHistory;
  for (const [index, deed] of deeds.entries()) {
    const now = index * 3 + 1;
    const last = history.announcements.at(-1)?.id ?? 'none';
    const outcome = {
      publish: () =>
        publish(
          history,
          { message: 'm', published: at(now + deed.for), expires: at(now + 2 * deed.for + 2) },
          by(now),
        ),
      alongside: () => ({ history: alongside(history, `x${index}`, now, now + deed.for + 1) }),
      edit: () => edit(history, last, { message: `m${index}` }, by(now)),
      withdraw: () => withdraw(history, last, by(now)),
      expire: () => expire(history, last, undefined, by(now)),
      undo: () => undo(history, undefined, by(now)),
    }[deed.kind]();
    if ('history' in outcome) history = outcome.history;
  }
  return { history, end: deeds.length * 3 + 60 };
}

const deeds = fc.array(
  fc.record({
    kind: fc.constantFrom<Deed['kind']>('publish', 'alongside', 'edit', 'withdraw', 'expire', 'undo'),
    for: fc.integer({ min: 0, max: 12 }),
  }),
  { maxLength: 20 },
);

test('law: looking once at the end gives the same events as looking all the time', () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const { history, end } = live(list);
      const once = followActive(history, firstSeen(emptyHistory, at(0)), at(end));
      let seen = firstSeen(emptyHistory, at(0));
      const often: string[] = [];
      for (let now = 0; now <= end; now += 1) {
        const count = history.changes.findIndex((change) => Date.parse(change.at) > at(now));
        const known = count === -1 ? history.changes.length : count;
        // What the history was then: the same deeds, as far as they were done.
        const then = live(list.filter((_, index) => index * 3 + 1 <= now)).history;
        expect(then.changes.length).toBe(known);
        const step = followActive(then, seen, at(now));
        often.push(...(step.events.length > 0 ? [told(step.events)] : []));
        seen = step.seen;
      }
      expect(told(once.events)).toBe(often.join(', '));
      expect(once.seen.active).toEqual(seen.active);
    }),
  );
});

test('law: starts and ends alternate for each announcement, and changes come between', () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const { history, end } = live(list);
      const { events } = followActive(history, firstSeen(emptyHistory, at(0)), at(end));
      const running = new Set<string>();
      for (const { type, announcement } of events) {
        expect(running.has(announcement.id)).toBe(type !== 'started');
        if (type === 'started') running.add(announcement.id);
        if (type === 'ended') running.delete(announcement.id);
      }
    }),
  );
});
