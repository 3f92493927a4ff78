import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordChange, Records } from '../../../../src/server/stores/records/records.ts';
import { until } from '../../../support/until.ts';

let count = 0;
/** An id that no other test uses. */
function newId(): string {
  count += 1;
  return `test/${process.pid}-${count}`;
}

const versionOf = (answer: object) => (answer as { version: string }).version;

/** @param open another engine on the same data, as another server has */
export function recordsContract(open: () => Promise<Records>): void {
  test('of many changes on the same version, one succeeds', async () => {
    const engines = [await open(), await open(), await open()];
    for (let round = 0; round < 10; round += 1) {
      const id = newId();
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          engines[at % 3]?.commit(id, { if: '', put: { by: String(at) } }),
        ),
      );
      const winner = all.findIndex((answer) => answer !== undefined && 'version' in answer);
      expect(all.filter((answer) => answer !== undefined && 'version' in answer)).toHaveLength(1);
      expect((await engines[0]?.read(id, ['by']))?.values).toEqual([String(winner)]);
    }
  });

  test('a bound is never exceeded, and is reached exactly', async () => {
    const engines = [await open(), await open()];
    const id = newId();
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, at) => engines[at % 2]?.commit(id, { add: { n: 2 }, max: { n: 50 } })),
    );
    expect(all.filter((answer) => answer !== undefined && 'version' in answer)).toHaveLength(25);
    expect((await engines[0]?.read(id, ['n']))?.values).toEqual(['50']);
    expect(await engines[0]?.commit(id, { add: { n: -10 } })).toHaveProperty('version');
    expect(await engines[1]?.commit(id, { add: { n: 11 }, max: { n: 50 }, put: { m: '1' } })).toEqual({
      refused: 'full',
    });
    expect(await engines[1]?.fields(id)).toEqual(new Map([['n', '40']]));
  });

  test('a record disappears when its time is over, and by a time of zero at once', async () => {
    const [one, other] = [await open(), await open()];
    const id = newId();
    await one.commit(id, { put: { a: '1' }, push: ['x'], ttl: 60_000 });
    await other.commit(id, { put: { b: '2' }, ttl: 30 });
    await until(async () => (await one.read(id, ['a'])).version === '');
    expect([await other.fields(id), await other.lines(id, 1, 9)]).toEqual([new Map(), []]);
    const version = versionOf(await other.commit(id, { if: '', push: ['y'] }));
    expect(await one.lines(id, 1, 9)).toEqual(['y']);
    expect(await one.commit(id, { if: 'another', ttl: 0 })).toEqual({ refused: 'changed' });
    expect(await one.commit(id, { if: version, ttl: 0 })).toHaveProperty('version');
    expect(await other.read(id, [])).toMatchObject({ version: '', last: 0 });
    await other.commit(id, { push: ['z'] });
    await one.remove(id);
    await one.commit(id, { push: ['new'] });
    expect(await other.lines(id, 1, 9)).toEqual(['new']);
    await one.remove(id);
    expect(await other.read(id)).toEqual({ version: '', values: [], first: 1, last: 0 });
  });

  test('one change may add all rounds of a player', async () => {
    const records = await open();
    const id = newId();
    const push = Array.from({ length: 60_000 }, (_, at) => String(at));
    versionOf(await records.commit(id, { push }));
    expect((await records.read(id)).last).toBe(60_000);
    expect(await records.lines(id, 59_999, 60_000)).toEqual(['59998', '59999']);
  });

  test('ids are listed by what they begin with', async () => {
    const records = await open();
    const start = newId();
    const ids = ['a', 'b.json', 'b/c', 'b/c/d'].map((end) => `${start}/${end}`);
    for (const id of ids) await records.commit(id, { put: { x: id } });
    const found = async (prefix: string) => {
      const all: string[] = [];
      for await (const id of records.ids(prefix)) all.push(id);
      return all.sort();
    };
    expect(await found(`${start}/`)).toEqual(ids);
    expect(await found(`${start}/b/`)).toEqual(ids.slice(2));
    expect(await found(`${start}/b`)).toEqual(ids.slice(1));
    await records.remove(`${start}/b/c`);
    expect(await found(`${start}/b/`)).toEqual(ids.slice(3));
  });

  test('an id that could leave its place is refused', async () => {
    const records = await open();
    for (const id of ['', '/a', '../a', 'a/../b', 'a//b', 'A', 'a b', 'a\n', `a${'/a'.repeat(200)}`])
      await expect(records.commit(id, { put: { x: '1' } })).rejects.toThrow('not an id of a record');
  });

  test('any changes by any server, with repeats, add up as in a model', async () => {
    const engines = [await open(), await open()];
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 40 }), async (all) => {
        const id = newId();
        const model = newModel();
        const versions: string[] = [''];
        for (const { by, change, condition, isRepeated } of all) {
          const records = engines[by] as Records;
          const wanted = condition === undefined ? undefined : versions.at(-condition);
          const whole: RecordChange = { ...change, ...(wanted !== undefined && { if: wanted }) };
          for (let time = isRepeated ? 0 : 1; time < 2; time += 1) {
            const answer = await records.commit(id, whole);
            const expected = applyToModel(model, whole, 'version' in answer ? answer.version : '');
            expect('version' in answer ? 'done' : answer.refused).toBe(expected);
            versions.push(model.version);
          }
          const reader = engines[1 - by] as Records;
          const { version } = model;
          expect((await reader.read(id, ['a'], version)).values).toEqual([]);
          expect(await reader.read(id, ['b', 'a'])).toMatchObject({
            version,
            values: [model.fields.b, model.fields.a],
            first: model.first,
            last: model.first + model.lines.length - 1,
          });
          expect(await reader.fields(id)).toEqual(new Map(Object.entries(model.fields)));
          expect(await reader.lines(id, 0, 999)).toEqual(model.lines);
        }
        await engines[0]?.remove(id);
      }),
      { numRuns: 60 },
    );
  });
}

const names = fc.constantFrom('a', 'b', 'c d', 'é\n');
const texts = fc.string({ unit: 'binary', maxLength: 12 });
const numbers = fc.integer({ min: -5, max: 20 });
const part = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const some = <T>(value: fc.Arbitrary<T>) =>
  part(fc.dictionary(names, value, { maxKeys: 2, noNullPrototype: true }));

const steps = fc.record({
  by: fc.constantFrom(0, 1),
  /** How many versions ago the one is that the change wants. */
  condition: part(fc.constantFrom(1, 1, 1, 2, 3)),
  isRepeated: fc.boolean(),
  change: fc
    .record({
      put: some(texts),
      append: some(texts),
      add: some(numbers),
      max: some(numbers),
      remove: part(fc.array(names, { maxLength: 2 })),
      push: part(fc.array(texts, { maxLength: 3 })),
      trim: part(fc.integer({ min: 0, max: 12 })),
    })
    .map(
      (change) =>
        Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as RecordChange,
    ),
});

function newModel() {
  return {
    version: '',
    fields: {} as Record<string, string>,
    lines: [] as string[],
    first: 1,
  };
}

function applyToModel(model: ReturnType<typeof newModel>, change: RecordChange, version: string): string {
  const { put, append, add, max, remove, push, trim } = change;
  if (change.if !== undefined && change.if !== model.version) return 'changed';
  const fields = { ...model.fields, ...put };
  const number = (name: string) => Number(fields[name] ?? 0) || 0;
  for (const [name, limit] of Object.entries(max ?? {})) {
    if ((Number(model.fields[name] ?? 0) || 0) + (add?.[name] ?? 0) > limit) return 'full';
  }
  for (const [name, text] of Object.entries(append ?? {})) fields[name] = (fields[name] ?? '') + text;
  for (const [name, value] of Object.entries(add ?? {})) fields[name] = String(number(name) + value);
  for (const name of remove ?? []) delete fields[name];
  const lines = [...model.lines, ...(push ?? [])];
  while (lines.length > 0 && trim !== undefined && model.first < trim) {
    lines.shift();
    model.first += 1;
  }
  Object.assign(model, { fields, lines, version });
  return 'done';
}
