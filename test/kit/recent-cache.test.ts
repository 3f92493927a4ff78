import { expect, it } from 'vitest';
import { createRecentCache } from '../../src/kit/recent-cache.ts';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

it('keeps at most the given number of values, and half of it for certain', () => {
  const dropped: number[] = [];
  const recent = createRecentCache<number>(10, { onDrop: (value) => dropped.push(value) });
  for (const number of numbers(1, 100)) {
    recent.put(String(number), number);
    const kept = recent.values();
    expect(kept.length).toBeLessThanOrEqual(10);
    expect([...kept, ...dropped].sort((a, b) => a - b)).toEqual(numbers(1, number));
    expect(kept).toEqual(expect.arrayContaining(numbers(Math.max(1, number - 4), number)));
  }
});

it('keeps fewer of large values, also of those that grow while they are kept', () => {
  const recent = createRecentCache<{ size: number }>(10, { sizeOf: ({ size }) => size });
  const growing = Array.from({ length: 5 }, () => ({ size: 1 }));
  for (let round = 1; round <= 10; round += 1) {
    for (const [at, value] of growing.entries()) {
      value.size = round;
      recent.put(String(at), value);
    }
  }
  expect(recent.values().length).toBeLessThanOrEqual(2);
});

it('counts what is deleted or replaced no longer', () => {
  const recent = createRecentCache<number>(10, { sizeOf: (value) => value });
  recent.put('kept', 1);
  for (const _ of numbers(1, 100)) {
    recent.put('replaced', 2);
    recent.put('deleted', 1);
    recent.delete('deleted');
  }
  expect(recent.get('kept')).toBe(1);
});
