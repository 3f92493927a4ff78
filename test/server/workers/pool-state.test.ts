import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  newPool,
  type PoolEffect,
  type PoolEvent,
  type PoolState,
  reducePool,
  workersOf,
} from '../../../src/server/workers/pool-state.ts';

/** A pool with the processes and timers that it asked for, as the runner would have them. */
interface Play {
  state: PoolState;
  readonly alive: Set<number>;
  readonly ending: Set<number>;
  readonly ready: Set<number>;
  readonly waits: number[];
  readonly effects: PoolEffect[];
}

function open(count: number): Play {
  const play: Play = {
    state: newPool(count),
    alive: new Set(),
    ending: new Set(),
    ready: new Set(),
    waits: [],
    effects: [],
  };
  happen(play, { type: 'open' });
  return play;
}

function happen(play: Play, event: PoolEvent): readonly PoolEffect[] {
  const { state, effects } = reducePool(play.state, event);
  play.state = state;
  play.effects.push(...effects);
  for (const effect of effects) {
    if (effect.type === 'fork') play.alive.add(effect.id);
    if (effect.type === 'end') play.ending.add(effect.id);
    if (effect.type === 'wait') play.waits.push(effect.slot);
    // The signal kills a process that has no listener yet.
    if (effect.type === 'reload') expect(play.ready).toContain(effect.id);
  }
  return effects;
}

const serve = (play: Play, id: number) => {
  play.ready.add(id);
  return happen(play, { type: 'ready', id });
};
const exit = (play: Play, id: number) => {
  for (const set of [play.alive, play.ending, play.ready]) set.delete(id);
  return happen(play, { type: 'exit', id, reason: 'SIGKILL' });
};
const passTime = (play: Play) => {
  const slot = play.waits.shift();
  if (slot !== undefined) happen(play, { type: 'waited', slot });
};
const servingOf = ({ alive, ready, ending }: Play) =>
  [...alive].filter((id) => ready.has(id) && !ending.has(id));

/** Everything that was asked for happens, and nothing else. */
function settle(play: Play): void {
  for (let left = 300; left > 0; left--) {
    const [ending] = play.ending;
    const starting = [...play.alive].find((id) => !play.ready.has(id));
    if (ending !== undefined) exit(play, ending);
    else if (starting !== undefined) serve(play, starting);
    else if (play.waits.length > 0) passTime(play);
    else return;
  }
  expect.unreachable('the pool never comes to rest');
}

/** What may happen next, by a number: which worker, which timer. */
const anyEvent = fc.record({
  what: fc.constantFrom('serve', 'exit', 'exit', 'wait', 'roll', 'reload'),
  which: fc.nat({ max: 20 }),
});

function apply(play: Play, { what, which }: { readonly what: string; readonly which: number }): void {
  const pick = (ids: readonly number[]) => ids[which % Math.max(1, ids.length)];
  const starting = pick([...play.alive].filter((id) => !play.ready.has(id)));
  const living = pick([...play.alive]);
  if (what === 'serve' && starting !== undefined) serve(play, starting);
  if (what === 'exit' && living !== undefined) exit(play, living);
  if (what === 'wait') passTime(play);
  if (what === 'roll' || what === 'reload') happen(play, { type: what });
}

const anyPlay = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.array(anyEvent, { maxLength: 60 }));

test('whatever ends, rolls or reloads, no more workers serve than there are slots', () => {
  fc.assert(
    fc.property(anyPlay, ([count, events]) => {
      const play = open(count);
      serve(play, 1);
      for (const event of events) {
        apply(play, event);
        expect(servingOf(play).length).toBeLessThanOrEqual(count);
        expect(play.alive.size).toBeLessThanOrEqual(count + 1);
        expect([...workersOf(play.state)].sort()).toEqual([...play.alive].sort());
      }
    }),
  );
});

test('once nothing more happens, every slot has a serving worker, and a roll has ended', () => {
  fc.assert(
    fc.property(anyPlay, ([count, events]) => {
      const play = open(count);
      serve(play, 1);
      for (const event of events) apply(play, event);
      settle(play);
      expect(servingOf(play)).toHaveLength(count);
      expect(play.state).toMatchObject({ isRolling: false, leaving: undefined, phase: 'open' });
      expect(play.effects.filter(({ type }) => type === 'opened')).toHaveLength(1);
    }),
  );
});

test('a roll replaces each worker, and a reload reaches each that serves afterwards', () => {
  fc.assert(
    fc.property(anyPlay, ([count, events]) => {
      const play = open(count);
      serve(play, 1);
      for (const event of events) apply(play, event);
      settle(play);
      const before = new Set(servingOf(play));
      happen(play, { type: 'roll' });
      const { length } = play.effects;
      const old = [...play.alive];
      happen(play, { type: 'reload' });
      settle(play);
      expect(servingOf(play).filter((id) => before.has(id))).toEqual([]);
      const reloaded = play.effects
        .slice(length)
        .flatMap((effect) => (effect.type === 'reload' ? effect.id : []));
      expect(reloaded.sort()).toEqual(old.sort());
    }),
  );
});

test('a stop ends all workers, starts none, and is complete when the last one has ended', () => {
  fc.assert(
    fc.property(anyPlay, ([count, events]) => {
      const play = open(count);
      serve(play, 1);
      for (const event of events) apply(play, event);
      happen(play, { type: 'stop' });
      expect([...play.ending].sort()).toEqual([...play.alive].sort());
      const { lastId } = play.state;
      for (const event of events) apply(play, event);
      for (const id of [...play.alive]) exit(play, id);
      for (const _ of [...play.waits]) passTime(play);
      expect(play.state.lastId).toBe(lastId);
      expect(play.effects.at(-1)).toEqual({ type: 'stopped' });
    }),
  );
});

test('the pool fails if its first worker ends before it serves', () => {
  const play = open(3);
  expect(exit(play, 1)).toEqual([{ type: 'failed' }]);
});

test('a new worker that ends before it serves ends the roll, and the old ones go on', () => {
  const play = open(2);
  settle(play);
  happen(play, { type: 'roll' });
  const effects = exit(play, 3);
  expect(effects).toEqual([{ type: 'error', message: expect.stringMatching(/were not replaced/) }]);
  expect(servingOf(play)).toEqual([1, 2]);
});

test('workers that end at once are replaced more and more slowly, until one serves', () => {
  const play = open(1);
  serve(play, 1);
  const pauses = Array.from({ length: 9 }, () => {
    const waits = exit(play, play.state.lastId).flatMap((effect) =>
      effect.type === 'wait' ? effect.ms : [],
    );
    passTime(play);
    return waits[0];
  });
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  settle(play);
  expect(exit(play, play.state.lastId)).toContainEqual({ type: 'wait', slot: 0, ms: 100 });
});
