import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterBeat,
  afterKey,
  beatEvery,
  newStallMemory,
  type ThreadMoment,
  toStall,
} from '../../../src/tui/input/stall-memory.ts';

const at = (time: number, waited = 0): ThreadMoment => ({ time, waited });
const patience = 2000;

describe('what is known of stalls', () => {
  test('a late beat says by how much the thread was delayed', () => {
    expect(toStall(newStallMemory(at(0)), at(beatEvery + 200))).toBeCloseTo(200);
    expect(toStall(newStallMemory(at(0)), at(beatEvery + 1))).toBe(0);
  });

  test('a short wait for a processor counts, even if no beat was late', () => {
    expect(toStall(newStallMemory(at(0, 40)), at(10, 47))).toBeCloseTo(7);
  });

  test('a wait is counted once', () => {
    const memory = afterKey(newStallMemory(at(0, 0)), at(10, 7));
    expect(toStall(memory, at(12, 7))).toBe(0);
  });

  test('a key does not hide that the beat after it is late', () => {
    const memory = afterKey(newStallMemory(at(0)), at(5));
    expect(toStall(memory, at(beatEvery + 100))).toBeCloseTo(100);
  });

  test('it rests when nobody has typed for long enough, and a rest is not a stall', () => {
    const awake = afterBeat(newStallMemory(at(0)), at(patience), patience);
    expect(awake.isAwake).toBe(true);
    const resting = afterBeat(awake, at(patience + beatEvery), patience);
    expect(resting.isAwake).toBe(false);
    expect(toStall(resting, at(1_000_000))).toBe(0);
    expect(afterKey(resting, at(1_000_000))).toMatchObject({ isAwake: true, lastBeat: 1_000_000 });
  });

  test('a thread that is never late reports no stall, whatever is typed', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: beatEvery })), { maxLength: 50 });
    fc.assert(
      fc.property(steps, (some) => {
        let [memory, beat] = [newStallMemory(at(0)), 0];
        for (const [isKey, wait] of some) {
          const now = at(isKey ? beat + wait : beat + beatEvery);
          expect(toStall(memory, now)).toBe(0);
          if (!isKey) beat += beatEvery;
          memory = isKey ? afterKey(memory, now) : afterBeat(memory, now, patience);
        }
      }),
    );
  });
});
