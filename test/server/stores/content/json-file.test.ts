import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineFinder, located, parseJsonFile } from '../../../../src/server/stores/content/json-file.ts';

/** Texts that look like brackets, ends of texts and lines. */
const text = fc.stringMatching(/^[[\]{}"\\,:a ]{0,6}$/);
const small = fc.oneof(text, fc.integer(), fc.constant(null), fc.boolean(), fc.constant([]), fc.constant({}));

/** How many brackets are open inside each other. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('law: a file is too deep exactly if more than a hundred brackets are open, and the line says where', () => {
  const level = fc.record({ isList: fc.boolean(), name: text, beside: fc.array(small, { maxLength: 2 }) });
  const levels = fc.array(level, { minLength: 96, maxLength: 104 });
  fc.assert(
    fc.property(levels, small, (wrappers, core) => {
      let value: unknown = core;
      for (const { isList, name, beside } of wrappers)
        value = isList
          ? [...beside, value]
          : { ...Object.fromEntries(beside.entries()), [`x${name}`]: value };
      const depth = depthOf(value);
      const parsed = parseJsonFile(`\uFEFF${JSON.stringify(value, undefined, 1)}`);
      if (depth <= 100) expect(parsed).toEqual({ plain: expect.any(String), value });
      else
        expect(parsed).toEqual({
          problems: [{ line: expect.any(Number), message: expect.stringMatching('100 br') }],
        });
    }),
  );
});

test('law: the line of a place is where its value begins, and of a missing one that of its parent', () => {
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      small,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(text, tie('node'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).node;
  fc.assert(
    fc.property(tree, fc.array(fc.nat(2), { maxLength: 4 }), (given, turns) => {
      // Walks down to a value, which a mark takes the place of.
      const steps: (string | number)[] = [];
      const root: { top: unknown } = { top: structuredClone(given) };
      let [parent, key]: [Record<string | number, unknown>, string | number] = [root, 'top'];
      for (const turn of turns) {
        const value: unknown = parent[key];
        if (typeof value !== 'object' || value === null) break;
        const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
        const next = keys[turn % Math.max(1, keys.length)];
        if (next === undefined) break;
        steps.push(next);
        [parent, key] = [value as Record<string | number, unknown>, next];
      }
      parent[key] = 'HERE';
      const file = JSON.stringify(root.top, undefined, 2);
      const line = file.slice(0, file.indexOf('"HERE"')).split('\n').length;
      const lineOf = createLineFinder(file);
      expect([lineOf(steps), lineOf([...steps, 'more']), lineOf([...steps, 0])]).toEqual([line, line, line]);
      const path = steps.length > 0 ? { path: expect.any(String) } : {};
      expect(located([{ steps, message: 'no' }], file)).toEqual([{ line, message: 'no', ...path }]);
    }),
  );
});

test('what is no JSON is a problem at its line; a text that is cut before a bracket ends is one, too', () => {
  const problemOf = (file: string) => {
    const parsed = parseJsonFile(file);
    return 'problems' in parsed ? parsed.problems[0] : undefined;
  };
  expect(problemOf('{\n"a": 1,\n}')).toMatchObject({ line: 3 });
  expect(problemOf('{\n"a": [1 2]}')).toMatchObject({ line: 2 });
  expect(problemOf('{"a": "tab\there"}')?.message).toContain('control character');
  expect(problemOf('{"a": [')?.message).toContain('not valid JSON');
  expect(problemOf('a\uFEFF')?.message).toContain('not valid JSON');
  expect(located([], 'no JSON at all')).toEqual([]);
});
