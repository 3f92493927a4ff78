import { expect } from 'vitest';

/** Equal in every field, numbers up to the rounding of another order of additions. */
export function expectClose(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number' && !Number.isInteger(expected)) {
    const allowed = 1e-9 * Math.max(1, Math.abs(expected));
    const isClose = typeof actual === 'number' && Math.abs(actual - expected) <= allowed;
    if (!isClose) expect(actual, path).toBe(expected);
  } else if (typeof expected === 'number' && typeof actual === 'number') {
    if (Math.abs(actual - expected) > 1e-9) expect(actual, path).toBe(expected);
  } else if (
    typeof expected === 'object' &&
    expected !== null &&
    typeof actual === 'object' &&
    actual !== null
  ) {
    const [keys, wanted] = [actual, expected].map((value) => Object.keys(value).sort()) as [
      string[],
      string[],
    ];
    // An expectation is slow, and a history has thousands of fields: it only reports what differs.
    if (keys.join('\n') !== wanted.join('\n')) expect(keys, path).toEqual(wanted);
    for (const [key, value] of Object.entries(expected)) {
      expectClose((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
    }
  } else if (!Object.is(actual, expected)) {
    expect(actual, path).toEqual(expected);
  }
}
