import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allAtOnce } from '../../../../src/kit/slices.ts';
import {
  type PathStep,
  readJsonLines,
  toSyntaxProblem,
} from '../../../../src/server/stores/content/json/json-lines.ts';
import { splitLists } from '../../../../src/server/stores/content/json/json-lists.ts';
import { shortenJson, splitLineSteps } from '../../../../src/server/stores/content/json/shortened-json.ts';

const names = ['notes', 'log'];
const split = (text: string) => allAtOnce(splitLists(text, names));
const shorten = (text: string) => allAtOnce(shortenJson(text, split(text).lists));

/** Texts with what a scanner may stumble over: quotation marks, escapes, brackets, surrogates. */
const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom('"', '\\', '\\"', ']', '}', ',', '{"', '\n', '\u2028', '\uD800'),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  ),
}));
const field = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...names), fc.array(value, { maxLength: 5 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...names, 'version', 'no\\te', '__proto__'), value) },
);
/** An object in which names may come twice; indented or not, with any line breaks and space around it. */
const text = fc
  .record({
    fields: fc.array(field, { maxLength: 4 }),
    indent: fc.constantFrom(0, 1, 4),
    lineBreak: fc.constantFrom('\n', '\r\n', '\r', '\r\r\n'),
    around: fc.constantFrom('', ' ', '\n\t', '\r\n'),
  })
  .map(({ fields, indent, lineBreak, around }) => {
    const members = fields.map(
      ([name, each]) => `${JSON.stringify(name)}:${around}${JSON.stringify(each, null, indent)}`,
    );
    return `${around}{${members.join(`,${around}`)}}${around}`.replaceAll('\n', lineBreak);
  });
const spoilt = fc
  .record({
    text,
    changes: fc.array(
      fc.record({
        at: fc.nat(),
        drop: fc.nat({ max: 2 }),
        add: fc.constantFrom(
          '',
          '"',
          ',',
          ']',
          '}',
          '{',
          '[',
          ':',
          '\\',
          '\n',
          '\r',
          '\t',
          '7',
          'x',
          '\uFEFF',
          '\u00A0',
          '\\u0061',
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    end: fc.option(fc.nat(), { freq: 5 }),
  })
  .map((spoiling) => {
    let result = spoiling.text;
    for (const { at, drop, add } of spoiling.changes) {
      const from = at % (result.length + 1);
      result = result.slice(0, from) + add + result.slice(from + drop);
    }
    return spoiling.end === null ? result : result.slice(0, spoiling.end % (result.length + 1));
  });

function isJson(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

test('a text that was split and parsed in parts is the same as one parsed as a whole', () => {
  fc.assert(
    fc.property(fc.oneof(text, spoilt), (json) => {
      const { rest, lists } = split(json);
      if (rest === undefined) return;
      const parts = [rest, ...[...lists.values()].flatMap(({ elements }) => elements)];
      expect(parts.every(isJson)).toBe(isJson(json));
      if (!isJson(json)) return;
      const whole = JSON.parse(rest);
      for (const [name, { elements }] of lists) whole[name] = elements.map((element) => JSON.parse(element));
      expect(whole).toEqual(JSON.parse(json));
      for (const { elements, starts } of lists.values())
        for (const [index, element] of elements.entries())
          expect(json.startsWith(element, starts[index])).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test('a shortened text is refused for the same mistake on the same line, and accepted if the whole is', () => {
  fc.assert(
    fc.property(fc.oneof(text, spoilt), (json) => {
      const short = shorten(json);
      expect(isJson(short)).toBe(isJson(json));
      if (!isJson(json)) expect(toSyntaxProblem(short)).toEqual(toSyntaxProblem(json));
    }),
    { numRuns: 3_000 },
  );
});

test('every value of a text that was split is on the line on which it is in the whole', () => {
  fc.assert(
    fc.property(text, (json) => {
      const { rest, lists } = split(json);
      if (rest === undefined) return;
      const whole = readJsonLines(json);
      const lines = allAtOnce(splitLineSteps(json, lists));
      for (const steps of [...pathsOf(JSON.parse(json)), ['missing'], ['notes', 99], ['log', 0, 'missing']])
        expect(lines.lineOf(steps), JSON.stringify(steps)).toBe(whole.lineOf(steps));
    }),
    { numRuns: 1_000 },
  );
});

function pathsOf(node: unknown, path: readonly PathStep[] = []): (readonly PathStep[])[] {
  if (typeof node !== 'object' || node === null) return [path];
  const entries: [PathStep, unknown][] = Array.isArray(node) ? [...node.entries()] : Object.entries(node);
  return [path, ...entries.flatMap(([step, each]) => pathsOf(each, [...path, step]))];
}

test('sound elements are left out, so that a parser has little to do', () => {
  const element = { id: 'a', message: 'x'.repeat(1_000) };
  const json = JSON.stringify({ notes: Array.from({ length: 1_000 }, () => element), log: [1, 2] }, null, 2);
  expect(shorten(json).length).toBeLessThan(20_000);
  const broken = json.replace('"log": [', '"log": [,');
  expect(shorten(broken).length).toBeLessThan(20_000);
  expect(toSyntaxProblem(shorten(broken))).toEqual(toSyntaxProblem(broken));
});
