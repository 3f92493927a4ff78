import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { followSteps, newEventCursor } from '../../src/announcements/active-events.ts';
import { emptyHistory, type HistoryFile } from '../../src/announcements/announcement.ts';
import {
  type EditOutcome,
  edit,
  expire,
  publish,
  withdraw,
} from '../../src/announcements/changes/history-edit.ts';
import { undo } from '../../src/announcements/changes/history-undo.ts';
import { allAtOnce } from '../support/all-at-once.ts';

const followActive = (...args: Parameters<typeof followSteps>) => allAtOnce(followSteps(...args));
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

/** What was seen before anything was published. A function, as all that is computed here: what fails must fail in a test. */
const fromStart = () => newEventCursor(emptyHistory, at(0));

/** `10 started a, 20 ended a`: minutes, what, which. */
function told(events: ReturnType<typeof followActive>['events']): string {
  return events
    .map((event) => `${(Date.parse(event.at) - start) / minute} ${event.type} ${event.announcement.id}`)
    .join(', ');
}

describe('events since the last look', () => {
  test('a scheduled announcement that came and went is reported with its times', () => {
    const history = published(emptyHistory, 'a', 10, 20, 5);
    expect(told(followActive(history, fromStart(), at(60)).events)).toBe('10 started a, 20 ended a');
    expect(told(followActive(history, fromStart(), at(15)).events)).toBe('10 started a');
  });

  test('one that was published, corrected and withdrawn is reported, although it left no trace', () => {
    let history = published(emptyHistory, 'a', 10, 500);
    history = done(edit(history, 'a', { message: 'b' }, by(11)));
    history = done(withdraw(history, 'a', by(12)));
    expect(told(followActive(history, fromStart(), at(60)).events)).toBe(
      '10 started a, 11 changed a, 12 ended a',
    );
  });

  test('for a file edited by hand, the overall difference is reported', () => {
    const history = published(emptyHistory, 'a', 10, 500);
    const entry = history.announcements[0] as HistoryFile['announcements'][number];
    const byHand = { ...history, announcements: [{ ...entry, message: 'by hand' }], changes: [] };
    const before = followActive(history, fromStart(), at(15));
    expect(told(followActive(byHand, before.seen, at(60)).events)).toBe('60 changed a');
  });
});

describe('the time of an event', () => {
  const running = () => published(emptyHistory, 'a', 10, 500);
  const seenAt = (minutes: number) => followActive(running(), fromStart(), at(minutes)).seen;

  test('is now for a change that bears a later time, because the clock of its editor is fast', () => {
    const history = done(edit(running(), 'a', { message: 'b' }, by(50)));
    expect(told(followActive(history, seenAt(15), at(20)).events)).toBe('20 changed a');
  });

  test('never goes back: a change that bears an earlier time than the last look counts as made then', () => {
    let history = done(edit(running(), 'a', { message: 'b' }, by(12)));
    history = done(edit(history, 'a', { message: 'c' }, by(40)));
    expect(told(followActive(history, seenAt(30), at(60)).events)).toBe('30 changed a, 40 changed a');
  });

  test('comes with the number of changes made by then', () => {
    const history = done(edit(running(), 'a', { message: 'b' }, by(20)));
    const { events } = followActive(history, fromStart(), at(600));
    expect(events.map(({ type, changes }) => `${type} ${changes}`)).toEqual([
      'started 1',
      'changed 2',
      'ended 2',
    ]);
  });
});

test('what an editor takes back in the second in which it was to begin has never begun', () => {
  const scheduled = published(emptyHistory, 'a', 10, 500, 5);
  const seen = newEventCursor(scheduled, at(6));
  expect(told(followActive(done(withdraw(scheduled, 'a', by(10))), seen, at(60)).events)).toBe('');
});

describe('when the log does not tell what happened in between, only the overall difference is reported', () => {
  const first = () => published(emptyHistory, 'a', 10, 500);
  const seen = () => followActive(first(), fromStart(), at(15)).seen;

  test('for an announcement that is not as its last change left it', () => {
    const edited = done(edit(first(), 'a', { message: 'b' }, by(20)));
    const announcements = edited.announcements.map((entry) => ({ ...entry, message: 'by hand' }));
    expect(told(followActive({ ...edited, announcements }, seen(), at(60)).events)).toBe('60 changed a');
  });
});

test('a clock that was set back makes nothing be reported twice', () => {
  const history = published(emptyHistory, 'a', 10, 20, 5);
  const first = followActive(history, fromStart(), at(15));
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
      const once = followActive(history, fromStart(), at(end));
      let seen = fromStart();
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
      const { events } = followActive(history, fromStart(), at(end));
      const running = new Set<string>();
      for (const { type, announcement } of events) {
        expect(running.has(announcement.id)).toBe(type !== 'started');
        if (type === 'started') running.add(announcement.id);
        if (type === 'ended') running.delete(announcement.id);
      }
    }),
  );
});
