import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyChange,
  createReplacedVersions,
  createVersions,
  isGone,
  isRecordId,
  newRecordState,
  outcomeOf,
} from '../../../../src/server/stores/records/record-state.ts';
import type { RecordChange } from '../../../../src/server/stores/records/records.ts';

const numbers = fc.integer({ min: -2, max: 9 });
const steps = fc.record({
  pause: fc.integer({ min: 0, max: 3 }),
  wants: fc.constantFrom('any', 'any', 'this', 'none', 'another'),
  change: fc.record(
    {
      put: fc.record({ a: fc.constantFrom('x', '1', '') }),
      append: fc.record({ b: fc.constantFrom('2', '') }),
      add: fc.record({ a: numbers }),
      max: fc.record({ a: numbers, b: fc.constant(1_000) }),
      remove: fc.constantFrom(['a'], ['b', 'a'], []),
      push: fc.array(fc.constant('line'), { maxLength: 3 }),
      trim: fc.integer({ min: 0, max: 9 }),
      ttl: fc.integer({ min: 0, max: 5 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<RecordChange>,
});

test('law: a record changes as its fields and lines do, and when its time is over it is as one that never was', () => {
  const newModel = () => ({
    version: '',
    until: Number.POSITIVE_INFINITY,
    a: '',
    b: '',
    lines: [] as number[],
    last: 0,
  });
  fc.assert(
    fc.property(fc.array(steps, { minLength: 5, maxLength: 20 }), (all) => {
      const state = newRecordState();
      let model = newModel();
      let now = 1_000;
      for (const [index, { pause, wants, change: rest }] of all.entries()) {
        now += pause;
        if (now >= model.until) model = newModel();
        const wanted = { any: undefined, this: model.version, none: '', another: 'q8Zt' }[wants];
        const change = { ...rest, ...(wanted !== undefined && { if: wanted }) };
        const { put, append, add, max, remove = [], push = [], trim, ttl } = change;
        const count = (text: string, more = 0) => (Number.parseInt(text, 10) || 0) + more;
        let expected = 'applied';
        if (wanted !== undefined && wanted !== model.version) expected = 'changed';
        else if (max && (count(model.a, add?.a) > Number(max.a) || count(model.b) > 1_000)) expected = 'full';
        const before = { ...state, fields: new Map(state.fields) };
        const wasGone = isGone(state, now);
        const outcomes = [
          outcomeOf(state, now, change),
          applyChange(state, { version: `v${index}`, at: now, change }),
        ];
        expect([wasGone, ...outcomes]).toEqual([model.version === '', expected, expected]);
        if (expected !== 'applied') {
          expect(state).toEqual(before);
          continue;
        }
        model.version = `v${index}`;
        model.a = put?.a ?? model.a;
        model.b += append?.b ?? '';
        if (add) model.a = String(count(model.a, add.a));
        if (remove.includes('a')) model.a = '';
        if (remove.includes('b')) model.b = '';
        for (const _ of push) {
          model.last += 1;
          model.lines.push(model.last);
        }
        model.lines = model.lines.filter((line) => line >= (trim ?? 0));
        if (ttl !== undefined) model.until = now + ttl;
        const { fields, ...others } = state;
        const { version, until, last, lines } = model;
        expect(others).toEqual({ version, until, last, first: lines[0] ?? last + 1 });
        expect([fields.get('a') ?? '', fields.get('b') ?? '']).toEqual([model.a, model.b]);
      }
    }),
  );
});

test('law: a version is known to be replaced with the first of its process that was replaced after it', () => {
  const writers = [createVersions(), createVersions(), createVersions()];
  const made = writers.map((next) => Array.from({ length: 20 }, next));
  expect(new Set(made.flat()).size).toBe(60);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(19))), (all) => {
      const replaced = createReplacedVersions();
      const newest = [-1, -1, -1];
      for (const [writer, at] of all) {
        replaced.add(made[writer]?.[at] as string);
        newest[writer] = Math.max(newest[writer] as number, at);
      }
      for (const [writer, versions] of made.entries())
        expect(versions.findLastIndex((version) => replaced.has(version))).toBe(newest[writer]);
      expect(made.map((versions) => versions.filter((version) => replaced.has(version)).length - 1)).toEqual(
        newest,
      );
      expect(replaced.has('')).toBe(true);
    }),
  );
});

test('an id is a path of short names that stays below its folder on every disk', () => {
  const longest = 'a'.repeat(200);
  for (const id of ['a', '0', '_', '-', 'a.b', 'a..', 'session/0a1b', '_/-/0.json', longest])
    expect(isRecordId(id), id).toBe(true);
  const others = [
    '',
    '.',
    '.a',
    'a/.b',
    'a/..',
    '/a',
    'a/',
    'a//b',
    'A',
    'a/B',
    'é',
    'a b',
    'a\n',
    '\na',
    'a\\b',
    'a:b',
  ];
  for (const id of [...others, `${longest}a`]) expect(isRecordId(id), id).toBe(false);
});
