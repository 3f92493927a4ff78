import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followActive, newEventCursor } from '../../src/announcements/active-events.ts';
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

/** What was seen before anything was published. A function, as all that is computed here: what fails must fail in a test. */
const fromStart = () => newEventCursor(emptyHistory, at(0));

/** `10 started a, 20 ended a`: minutes, what, which. */
function told(events: ReturnType<typeof followActive>['events']): string {
  return events
    .map((event) => `${(Date.parse(event.at) - start) / minute} ${event.type} ${event.announcement.id}`)
    .join(', ');
}

test('a start and an end by the clock have its times, a change the time at which it was seen', () => {
  const history = published(emptyHistory, 'a', 10, 20, 5);
  const started = followActive(history, fromStart(), at(15));
  expect(told(started.events)).toBe('10 started a');
  const edited = done(edit(history, 'a', { message: 'b' }, by(16)));
  const changed = followActive(edited, started.seen, at(17));
  expect(told(changed.events)).toBe('17 changed a');
  expect(told(followActive(edited, changed.seen, at(60)).events)).toBe('20 ended a');
});

test('what starts and ends between two checks is not reported', () => {
  const history = published(emptyHistory, 'a', 10, 20, 5);
  expect(told(followActive(history, fromStart(), at(60)).events)).toBe('');
});

test('what an editor brings back started when that was seen, not when it began long ago', () => {
  const history = published(emptyHistory, 'a', 5, 60);
  const { seen } = followActive(history, fromStart(), at(6));
  const gone = followActive(done(withdraw(history, 'a', by(10))), seen, at(11));
  expect(told(gone.events)).toBe('11 ended a');
  expect(told(followActive(history, gone.seen, at(21)).events)).toBe('21 started a');
});

test('a clock that is set back causes no event to be reported twice', () => {
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

/** What becomes of some announcements by a deed in that minute. */
function after(history: HistoryFile, { kind, for: length }: Deed, now: number): HistoryFile {
  const last = history.announcements.at(-1)?.id ?? 'none';
  const times = { published: at(now + length), expires: at(now + 2 * length + 2) };
  const outcome = {
    publish: () => publish(history, { message: 'm', ...times }, by(now)),
    alongside: () => publish(history, { message: 'm', alongside: true, ...times }, by(now)),
    edit: () => edit(history, last, { message: `m${now}` }, by(now)),
    withdraw: () => withdraw(history, last, by(now)),
    expire: () => expire(history, last, undefined, by(now)),
    undo: () => undo(history, undefined, by(now)),
  }[kind]();
  return 'history' in outcome ? outcome.history : history;
}

test('law: a receiver of every event knows what is active, however rare the checks are', () => {
  const deed = fc.record({
    kind: fc.constantFrom<Deed['kind']>('publish', 'alongside', 'edit', 'withdraw', 'expire', 'undo'),
    for: fc.integer({ min: 0, max: 12 }),
  });
  const steps = fc.array(fc.record({ deed, looks: fc.boolean() }), { maxLength: 20 });
  fc.assert(
    fc.property(steps, (list) => {
      let history = emptyHistory;
      let { seen } = followActive(history, fromStart(), at(0));
      const heard = new Map<string, unknown>();
      for (const [index, { deed, looks }] of [...list, ...list].entries()) {
        const now = index * 3 + 1;
        if (index < list.length) history = after(history, deed, now);
        if (!looks) continue;
        const look = followActive(history, seen, at(now));
        seen = look.seen;
        for (const { type, announcement } of look.events) {
          expect(heard.has(announcement.id)).toBe(type !== 'started');
          if (type === 'ended') heard.delete(announcement.id);
          else heard.set(announcement.id, announcement);
        }
        const active = newEventCursor(history, at(now)).active;
        expect(heard).toEqual(new Map(active.map((each) => [each.id, each])));
      }
    }),
  );
});
