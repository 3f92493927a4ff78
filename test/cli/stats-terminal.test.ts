import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { printStats } from '../../src/cli/commands/stats/print-stats.ts';
import { addLocalRounds } from '../../src/cli/typist/local-rounds.ts';
import { typedRound } from '../support/typed-rounds.ts';

let data: string;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'typebadge-stats-'));
  await addLocalRounds(
    { data },
    [1, 2, 3].map((day) => typedRound({ at: `2026-01-0${day}T12:00:00.000Z` })),
  );
});

afterEach(() => rmSync(data, { recursive: true }));

async function print(columns: number | undefined, options = {}): Promise<string> {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const out = columns === undefined ? { write } : { write, isTTY: true, columns };
  await printStats({ data, ...options }, { out, err: { write } });
  return text;
}

describe('the text of stats', () => {
  test.each([40, 80, 120])('is broken between words on a terminal of %i columns', async (columns) => {
    const [shown, written] = [await print(columns), await print(undefined)];
    expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(Math.max(...written.split('\n').map((line) => line.length))).toBeGreaterThan(80);
    expect(shown.split(/\s+/)).toEqual(written.split(/\s+/));
  });

  test('stays whole as JSON, and on a terminal that is wide enough', async () => {
    expect(await print(40, { json: true })).toBe(await print(undefined, { json: true }));
    expect(await print(1000)).toBe(await print(undefined));
  });
});
