import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemorySessions,
  type MemorySessions,
} from '../../../src/server/stores/memory/memory-sessions.ts';
import { newSession } from '../../../src/server/stores/session.ts';
import { sessionBytes } from '../../../src/server/stores/session-size.ts';
import { toUnsavedRound } from '../../../src/server/stores/unsaved-rounds.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { newRound, reduceRoundBatch } from '../../../src/typing/round.ts';
import { newInput, type RoundInput } from '../../../src/typing/round-input.ts';
import { newJournalRound, toRoundId } from './journal-rounds.ts';

const words = Array.from({ length: 30 }, (_, at) => `word${String.fromCharCode(97 + (at % 26))}`);

/** A key that comes from a request: a string of its own, never one that the program shares. */
const fresh = (key: string) => JSON.parse(JSON.stringify(key)) as string;

type Play = (store: MemorySessions, id: string) => void;
const open: Play = (store, id) => {
  const address = () => `address-${fresh(id)}${fresh(id)}`;
  const opener = { player: `key-${fresh(id)}${fresh(id)}`, client: address(), block: address() };
  expect(store.create(newSession(fresh(id), defaultPractice, Date.now(), opener))).toBe('added');
};
const openText: Play = (store, id) => {
  const text = fresh('я'.repeat(10_000));
  const practice = { ...defaultPractice, mode: { type: 'text', text, title: fresh('a title') } } as const;
  store.create(newSession(fresh(id), practice, Date.now()));
};
const start: Play = (store, id) => {
  open(store, id);
  store.update(id, (session) => ({
    session: { ...session, roundCount: 1, round: newRound(fresh(id), words.map(fresh), defaultPractice) },
    result: undefined,
  }));
};
const take = (store: MemorySessions, id: string, inputs: readonly RoundInput[]) =>
  store.update(id, (session) => {
    const reduction = session.round && reduceRoundBatch(session.round, inputs);
    if (reduction === null || 'problem' in reduction) throw new Error('not taken');
    return { session: { ...session, round: reduction.round }, result: undefined };
  });
/** Types and deletes a character, each in a request of its own or many in one. */
const flood =
  (key: string, count: number, perRequest: number): Play =>
  (store, id) => {
    start(store, id);
    const toInput = (at: number) => newInput(at % 2 === 0 ? fresh(key) : '\b', 3_600_000, at + 1);
    for (let at = 0; at < count; at += perRequest)
      take(
        store,
        id,
        Array.from({ length: perRequest }, (_, more) => toInput(at + more)),
      );
  };
const fillWord =
  (key: string): Play =>
  (store, id) => {
    start(store, id);
    for (let at = 0; at < 36; at++) take(store, id, [newInput(fresh(key), 1, 0)]);
  };
const leaveUnsaved: Play = (store, id) => {
  start(store, id);
  const rounds = Array.from({ length: 9 }, (_, at) =>
    toUnsavedRound(newJournalRound(toRoundId(at), words, [at])),
  );
  store.update(id, (session) => ({ session: { ...session, unsaved: rounds }, result: undefined }));
};

const longest = `a${'\u0301'.repeat(31)}`;
const ways: [string, Play][] = [
  ['that were opened only', open],
  ['with a long text to type', openText],
  ['with a round that nobody types', start],
  ['whose round is typed key by key', flood('x', 180, 1)],
  ['whose round is typed key by key, without end', flood('x', 900, 1)],
  ['whose round is typed in batches', flood('x', 1000, 500)],
  ['of the longest characters, key by key', flood(longest, 400, 1)],
  ['of the longest characters, in batches', flood(longest, 400, 100)],
  ['of one wide letter, whose text takes two bytes a unit', flood('я', 900, 3)],
  ['with a word full of the longest characters', fillWord(longest)],
  ['with a word full of emoji', fillWord('👨‍👩‍👧‍👦')],
  ['with unsaved rounds', leaveUnsaved],
];

const plays = ways.map(([, play]) => play);

describe('what is counted for sessions', () => {
  it.each(ways)('%s is at least what they take of the heap', (_, play) => {
    const collect = globalThis.gc as () => void;
    const store = createMemorySessions({ ttl: 1e9, limit: 1e9 });
    play(store, 'f'.repeat(32));
    collect();
    const [heap, counted] = [process.memoryUsage().heapUsed, store.bytes()];
    for (let number = 0; number < 300; number++) play(store, toRoundId(number));
    collect();
    const taken = process.memoryUsage().heapUsed - heap;
    expect(store.bytes() - counted).toBeGreaterThan(taken);
    // Nor is it out of all proportion, but for the room that each round is given at its start.
    expect(store.bytes() - counted).toBeLessThan(taken * 6 + 300 * 40_000);
  });

  it('grows and shrinks with every change, and is zero in the end', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), fc.nat(5)), { maxLength: 60 }), (steps) => {
        const store = createMemorySessions({ ttl: 1e9, limit: 1e9 });
        for (const [who, what] of steps) {
          const id = toRoundId(who);
          if (what === 0) store.delete(id);
          else if (store.peek(id) === undefined) plays[what]?.(store, id);
          const sum = [...store.ids()].reduce((total, each) => {
            const session = store.peek(each)?.session;
            return total + (session === undefined ? 0 : sessionBytes(session));
          }, 0);
          expect(store.bytes()).toBe(sum);
        }
        for (const id of [...store.ids()]) store.evict(id);
        expect(store.bytes()).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
