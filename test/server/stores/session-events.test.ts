import { describe, expect, test } from 'vitest';
import { parseJournalLine } from '../../../src/server/stores/journal-line.ts';
import { askingLocally, localPlayer, mayUse, playerPattern } from '../../../src/server/stores/player.ts';
import { createTally } from '../../../src/server/stores/pulse-tally.ts';
import { keepAll, retentionAt } from '../../../src/server/stores/round-retention.ts';
import { newSession, type Session } from '../../../src/server/stores/session.ts';
import { toSessionEvents } from '../../../src/server/stores/session-events/session-diff.ts';
import {
  applyEvent,
  draftBytes,
  type SessionDrafts,
  toStoredSession,
} from '../../../src/server/stores/session-events/session-draft.ts';
import {
  parseEvent,
  type SessionEvent,
  toEventLine,
} from '../../../src/server/stores/session-events/session-event.ts';
import {
  inputsOf,
  parseSessionText,
  sessionSteps,
  toHeaderText,
  toSessionText,
} from '../../../src/server/stores/session-events/session-text.ts';
import { sessionBytes } from '../../../src/server/stores/session-size.ts';
import { parseUnsaved, toUnsavedRound } from '../../../src/server/stores/unsaved-rounds.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { newRound } from '../../../src/typing/round.ts';
import { tapeText } from '../../../src/typing/texts/tape.ts';
import { typeInto } from '../../typing/typed-round.ts';
import { newJournalRound } from './journal-rounds.ts';

const id = '0123456789abcdef'.repeat(2);
const used = 1_700_000_000_000;
const fresh = newSession(id, defaultPractice, used);
const opened = (): Session => ({
  ...fresh,
  roundCount: 1,
  round: newRound('r1', ['cat', 'dog'], defaultPractice, [1]),
});
function typed(text: string): Session {
  const session = opened();
  return { ...session, round: session.round && typeInto(session.round, text).round };
}
function timed(): Session {
  const session = typed('cat_dog_');
  const timing = { start: 0, end: 900, duration: 800 };
  const newBests = { wpm: true, accuracy: false, time: true };
  return { ...session, round: session.round && { ...session.round, timing, newBests } };
}
const stored = (session: Session) => ({ session, lastUsed: used });
const unsaved = [
  { id: 'a', line: 'line a' },
  { id: 'b', line: 'line b' },
];

/** The sessions that events tell, after a way through lines of a log. */
function retold(events: readonly SessionEvent[]): Session | undefined {
  const drafts: SessionDrafts = new Map();
  for (const each of events) {
    const event = parseEvent(JSON.parse(toEventLine(each)));
    if (event === undefined) throw new Error('an event was not read');
    expect(applyEvent(drafts, event, { keepsText: true })).toBe(true);
  }
  const draft = drafts.get(id);
  return draft && toStoredSession(draft).stored.session;
}

/** What the events are, as their distinguishing fields. */
const kindsOf = (events: readonly SessionEvent[]) =>
  events
    .map((event) => ['inputs', 'session', 'timing', 'unsaved', 'kept', 'gone'].find((kind) => kind in event))
    .join(' ');

describe('the events of a session', () => {
  test.each([
    ['that has no round', () => fresh],
    ['whose round has begun', opened],
    ['in the middle of a word', () => typed('cat_dx<o')],
    ['whose round is timed', timed],
    ['with unsaved rounds', () => ({ ...timed(), unsaved })],
  ])('%s tell all of it', (_, make) => {
    const { events } = toSessionEvents(undefined, stored(make()));
    expect(kindsOf(events)).toMatch(/^session( unsaved unsaved)?$/);
    expect(retold(events)).toEqual(make());
  });

  test('after the first ones are only what is new', () => {
    const first = toSessionEvents(undefined, stored(typed('ca')));
    const second = toSessionEvents(first.state, stored(typed('cat_d')));
    expect(second.events).toEqual([
      { v: 2, id, used, from: first.state.inputs, inputs: inputsOf(typed('cat_d'), first.state.inputs) },
    ]);
    const third = toSessionEvents(second.state, stored(timed()));
    expect(kindsOf(third.events)).toBe('inputs timing');
    const fourth = toSessionEvents(third.state, stored({ ...timed(), unsaved }));
    expect(kindsOf(fourth.events)).toBe('inputs unsaved unsaved');
    const fifth = toSessionEvents(fourth.state, stored({ ...timed(), unsaved: unsaved.slice(1) }));
    expect(fifth.events.at(-1)).toEqual({ v: 2, id, kept: ['a'] });
    const all = [first, second, third, fourth, fifth].flatMap(({ events }) => events);
    expect(retold(all)).toEqual({ ...timed(), unsaved: unsaved.slice(1) });
  });

  test('say that it was used, even if nothing else happened', () => {
    for (const session of [fresh, typed('ca')]) {
      const { state } = toSessionEvents(undefined, stored(session));
      const { events } = toSessionEvents(state, { session, lastUsed: used + 5 });
      expect(events).toEqual([{ v: 2, id, used: used + 5, from: state.inputs, inputs: '' }]);
    }
  });

  test('are the whole session again for another round, and for one whose timing is gone', () => {
    const before = toSessionEvents(undefined, stored(timed())).state;
    const next = { ...opened(), roundCount: 2 };
    const other = { ...opened(), round: newRound('r2', ['x']) };
    for (const session of [next, other, typed('cat_dog_')])
      expect(kindsOf(toSessionEvents(before, stored(session)).events)).toBe('session');
  });

  test('rounds that the log already has are not written to it again', () => {
    const { state } = toSessionEvents(undefined, stored({ ...fresh, unsaved }));
    expect(kindsOf(toSessionEvents(state, stored({ ...fresh, unsaved: [...unsaved] })).events)).toBe(
      'inputs',
    );
  });
});

describe('an event that does not fit is refused and changes nothing', () => {
  /** The drafts after the events of a session, and what applying one more says. */
  function apply(session: Session, event: SessionEvent, keepsText = true) {
    const drafts: SessionDrafts = new Map();
    for (const each of toSessionEvents(undefined, stored(session)).events)
      applyEvent(drafts, each, { keepsText });
    const isTaken = applyEvent(drafts, event, { keepsText });
    return { drafts, isTaken };
  }
  const storedOf = (drafts: SessionDrafts) => {
    const draft = drafts.get(id);
    if (draft === undefined) throw new Error('the session is gone');
    return toStoredSession(draft);
  };
  const later = used + 9;
  const inputs = (from: number, text: string): SessionEvent => ({
    v: 2,
    id,
    used: later,
    from,
    inputs: text,
  });
  const timing: SessionEvent = { v: 2, id, used: later, timing: { start: 0, end: 900, duration: 800 } };

  test.each([
    ['inputs that leave a gap', () => typed('ca'), inputs(1_000, 't\t100\t0\n')],
    ['inputs that are there already', () => typed('ca'), inputs(0, 'c\t100\t0\n')],
    ['a use after a gap', () => typed('ca'), inputs(3, '')],
    ['inputs without a round', () => fresh, inputs(0, 'c\t100\t0\n')],
    ['a timing without a round', () => fresh, timing],
  ])('%s', (_, make, event) => {
    const { drafts, isTaken } = apply(make(), event);
    expect(isTaken).toBe(false);
    expect(storedOf(drafts)).toEqual({ stored: stored(make()), isWhole: true });
  });

  test('one of an unknown session', () => {
    expect(apply(fresh, { ...timing, id: 'f'.repeat(32) } as SessionEvent).isTaken).toBe(false);
    expect(applyEvent(new Map(), inputs(0, ''), { keepsText: true })).toBe(false);
  });

  test('but a use, a timing and an end are taken', () => {
    const usedLater = apply(fresh, inputs(0, ''));
    expect([usedLater.isTaken, storedOf(usedLater.drafts).stored]).toEqual([
      true,
      { session: fresh, lastUsed: later },
    ]);
    const withTiming = apply(typed('cat_dog_'), timing);
    expect(withTiming.isTaken).toBe(true);
    expect(storedOf(withTiming.drafts).stored).toMatchObject({
      lastUsed: later,
      session: { round: { timing: { duration: 800 } } },
    });
    const gone = apply(fresh, { v: 2, gone: id });
    expect([gone.isTaken, gone.drafts.size]).toEqual([true, 0]);
  });

  test('inputs that the rules cannot have accepted end the round before them, without a timing', () => {
    const { events } = toSessionEvents(undefined, stored(timed()));
    const [whole] = events;
    if (whole === undefined || !('session' in whole) || whole.session.round === null)
      throw new Error('no round');
    const { round } = whole.session;
    const damaged = {
      ...whole,
      session: { ...whole.session, round: { ...round, inputs: `${round.inputs}x\t1\t0\n` } },
    };
    const drafts: SessionDrafts = new Map();
    applyEvent(drafts, damaged, { keepsText: true });
    const { stored: read, isWhole } = storedOf(drafts);
    expect(isWhole).toBe(false);
    expect(read.session.round).toEqual(typed('cat_dog_').round);
  });

  test('without texts, only the size of a session is known, and it is the same', () => {
    for (const session of [fresh, opened(), { ...fresh, unsaved }, timed()]) {
      const [measured] = apply(session, inputs(session.round?.inputs.length ?? 0, ''), false).drafts.values();
      const [full] = apply(session, inputs(session.round?.inputs.length ?? 0, '')).drafts.values();
      if (measured === undefined || full === undefined) throw new Error('the session is gone');
      expect(draftBytes(measured)).toBe(sessionBytes(session));
      expect(draftBytes(full)).toBe(draftBytes(measured));
      expect(() => toStoredSession(measured)).toThrow('only the measures of this session are known');
      expect(measured.round?.text ?? '').toBe('');
      expect([...measured.unsaved.values()].every(({ line }) => line === '')).toBe(true);
    }
  });

  test('further inputs and a timing are measured without texts, too', () => {
    const more = inputsOf(typed('cat'), inputsOf(typed('ca')).length);
    const event = inputs(inputsOf(typed('ca')).length, more);
    const [measured] = apply(typed('ca'), event, false).drafts.values();
    expect(measured?.round).toMatchObject({
      inputs: inputsOf(typed('cat')).length,
      text: '',
      isRunning: true,
    });
    const [timedOne] = apply(typed('cat_dog_'), timing, false).drafts.values();
    expect(timedOne?.round).toMatchObject({ isRunning: false, fields: undefined });
  });
});

test('an address in the log is a hash of 64 digits', () => {
  const [whole] = toSessionEvents(undefined, stored(fresh)).events as [
    Extract<SessionEvent, { session: unknown }>,
  ];
  const withEntries = (more: object) => parseEvent({ ...whole, session: { ...whole.session, ...more } });
  const address = `address-${'0123456789abcdef'.repeat(4)}`;
  expect(withEntries({ client: address, block: address })).toMatchObject({
    session: { client: address, block: address },
  });
  for (const other of [`x${address}`, `${address}0`, 'address-0', `address-${'g'.repeat(64)}`]) {
    expect(withEntries({ client: other })).toBeUndefined();
    expect(withEntries({ block: other })).toBeUndefined();
  }
  const { client: _, ...unnamed } = whole.session;
  expect(parseEvent({ ...whole, session: unnamed })).toMatchObject({ session: { client: '' } });
});

test('a finished round that is not saved yet is kept as its line, and unreadable ones are left out', () => {
  const round = newJournalRound('r1');
  const one = toUnsavedRound(round);
  expect(one.id).toBe('r1');
  expect(parseUnsaved([one, { id: 'x', line: 'damaged' }])).toEqual([parseJournalLine(one.line)]);
  expect(parseUnsaved([one])).toMatchObject([{ id: 'r1', words: round.words, keys: round.keys }]);
});

describe('a line of the log', () => {
  const line = { v: 2, id, used, from: 0, inputs: 'a\t100\t1\n' };

  test.each([
    line,
    { ...line, inputs: '' },
    { ...line, inputs: '👨‍👩‍👧‍👦\t1234567890123456\t1234567890123456\n' },
    { v: 2, id, used, timing: { start: 0, end: 1, duration: 1 } },
    { v: 2, id, unsaved: { id: 'a', line: 'x' } },
    { v: 2, id, kept: ['a'] },
    { v: 2, gone: id },
  ])('%j is read as it is', (event) => {
    expect(parseEvent(event)).toEqual(event);
    expect(toEventLine(event as SessionEvent)).toBe(`${JSON.stringify(event)}\n`);
  });

  test.each([
    null,
    'text',
    7,
    [],
    {},
    { ...line, v: 1 },
    { ...line, id: id.slice(1) },
    { ...line, id: `${id}0` },
    { ...line, id: id.toUpperCase() },
    { ...line, used: -1 },
    { ...line, used: 8_640_000_000_000_001 },
    { ...line, from: 0.5 },
    { ...line, inputs: 'a\t100\t1' },
    { ...line, inputs: 'a\t100\n' },
    { ...line, inputs: '\t100\t1\n' },
    { ...line, inputs: 'x\na\t100\t1\n' },
    { v: 2, id, kept: [1] },
    { v: 2, gone: 'x' },
  ])('%j is damaged', (event) => {
    expect(parseEvent(event)).toBeUndefined();
  });
});

describe('a session as two texts', () => {
  test.each([
    ['without a round', () => fresh],
    ['in the middle of a round', () => typed('cat_dx<o')],
    ['with everything', () => ({ ...timed(), unsaved })],
  ])('is read as it was: %s', (_, make) => {
    expect(parseSessionText(toSessionText(make()), used)).toEqual(make());
  });

  test('is replayed in steps if it is long, so that others are served meanwhile', () => {
    const header = toHeaderText(opened());
    const steps = sessionSteps({ header, inputs: '<\t100\t0\n'.repeat(10_000) }, used);
    let pauses = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThan(20);
  });

  test('has the inputs in the second only', () => {
    const session = typed('cat');
    expect(toHeaderText(session)).toBe(toHeaderText(opened()));
    expect(inputsOf(session)).toBe(session.round && tapeText(session.round.inputs));
    expect(inputsOf(session, 3)).toBe(inputsOf(session).slice(3));
    expect(inputsOf(fresh)).toBe('');
  });

  test('of another version is refused, and of a later one as if the store were away', () => {
    const text = (v: number) => ({
      ...toSessionText(fresh),
      header: toHeaderText(fresh).replace('"v":2', `"v":${v}`),
    });
    expect(() => parseSessionText(text(3), used)).toThrow(
      'The store holds a session of a later version (format 3).',
    );
    expect(() => parseSessionText(text(1), used)).toThrow(
      'The store holds a session of format 1; this version reads 2.',
    );
  });

  test('that is damaged is refused: nothing is guessed', () => {
    const damaged = { ...toSessionText(typed('cat')), inputs: 'x' };
    expect(() => parseSessionText(damaged, used)).toThrow('The store holds a session that cannot be read.');
    const header = toHeaderText(fresh).replace(id, 'x');
    expect(() => parseSessionText({ header, inputs: '' }, used)).toThrow('cannot be read');
  });
});

describe('who may use a session', () => {
  const hash = 'a'.repeat(64);
  const key = `key-${hash}`;
  const address = `address-${hash}`;

  test.each([
    [localPlayer, '', localPlayer, true],
    [key, 'c', key, true],
    [key, 'c', `key-${'b'.repeat(64)}`, false],
    [address, 'c', key, false],
    [key, 'c', address, true],
    [address, 'c', `address-${'b'.repeat(64)}`, true],
    [key, 'c', localPlayer, true],
    [key, '', localPlayer, false],
  ])('%s (client "%s") may use that of %s: %s', (player, client, owner, expected) => {
    expect(mayUse({ player, client }, owner)).toBe(expected);
  });

  test('players have names that are safe for files', () => {
    for (const name of [localPlayer, key, address]) expect(name).toMatch(playerPattern);
    for (const name of ['', 'locals', 'key-', `key-${'g'.repeat(64)}`, `x${key}`, `${key}0`, '../local'])
      expect(name).not.toMatch(playerPattern);
    expect(askingLocally).toEqual({ player: 'local', client: '' });
  });
});

test('a new session is its opener’s, with nothing in it', () => {
  const asking = { player: 'local', client: 'c', block: 'b' };
  const empty = { id, createdAt: 5, practice: defaultPractice, roundCount: 0, round: null, unsaved: [] };
  expect(newSession(id, defaultPractice, 5, asking)).toStrictEqual({ ...empty, ...asking });
  expect(newSession(id, defaultPractice, 5)).toStrictEqual({ ...empty, player: 'local', client: '' });
});

test('rounds are kept for as long as the server says, and those of the local player for ever', () => {
  expect(retentionAt(1_000, 400)).toEqual({ rounds: 10_000, bytes: 24 * 1024 * 1024, since: 600 });
  expect([0, Number.MAX_VALUE].every((size) => size < keepAll.rounds && size < keepAll.bytes)).toBe(true);
  expect(keepAll.since).toBeLessThan(-Number.MAX_VALUE);
});

test('a tally adds up by all parts of a key, and forgets what is nothing', () => {
  const tally = createTally();
  const key = { day: '2026-01-01', announcement: 'a', event: 'click', site: 's' } as const;
  const others = [{ day: '2026-01-02' }, { announcement: 'b' }, { event: 'dismiss' as const }, { site: 't' }];
  tally.add(key, 2);
  tally.add(key, 3);
  for (const part of others) {
    expect(tally.has({ ...key, ...part })).toBe(false);
    tally.add({ ...key, ...part }, 1);
  }
  expect(tally.all()).toEqual([
    { ...key, count: 5 },
    ...others.map((part) => ({ ...key, ...part, count: 1 })),
  ]);
  tally.add(key, -5);
  expect([tally.has(key), tally.size()]).toEqual([false, 4]);
  tally.add(key, 0);
  expect(tally.size()).toBe(4);
});
