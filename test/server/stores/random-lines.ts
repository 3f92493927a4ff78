import fc from 'fast-check';
import { ruleValues } from '../../../src/typing/rules/rules.ts';

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] as const;
const keys = fc.constantFrom(...'abcdeE ,;é\b\u0000ß漢', '\n👍\n', '\ne\u0301\n', '\n\n', '\n');
const texts = fc.array(
  fc.oneof({ weight: 4, arbitrary: keys }, { weight: 1, arbitrary: fc.constantFrom(...names) }),
);
const words = fc.array(
  fc.oneof(fc.stringMatching(/^[a-e]{1,6}[,.]?$/), fc.constantFrom(...names), fc.string({ minLength: 1 })),
  { minLength: 1, maxLength: 6 },
);
const times = fc.constantFrom(0, 1, 120, 4999, 5000, 2 ** 31, Number.MAX_SAFE_INTEGER);
const kinds = fc.record(
  {
    mode: fc.constantFrom('words-30', 'time-60', 'drill', 'guided', 'a-mode-of-old', ...names),
    language: fc.constantFrom('en', 'de', 'xx', '_', 'constructor', '-'),
    layout: fc.constantFrom('qwerty', 'gone', '__proto__'),
    rules: fc.record({
      earlySpace: fc.constantFrom(...ruleValues.earlySpace),
      stopOn: fc.constantFrom(...ruleValues.stopOn),
      backspace: fc.constantFrom(...ruleValues.backspace),
    }),
  },
  { requiredKeys: [] },
);

function countKeys(text: string): number {
  if (!text.includes('\n')) return text.length;
  return text.split('\n').reduce((sum, part, at) => sum + (at % 2 === 0 ? part.length : 1), 0);
}

/** Lines of the journal's shape that no typist has typed, so that the rules of the game hold in hardly any. */
export const lines: fc.Arbitrary<string> = fc
  .record({
    id: fc.oneof(fc.uuid(), fc.constantFrom(...names)),
    punctuation: fc.boolean(),
    words,
    keys: texts,
    kind: kinds,
    start: times,
    end: times,
    duration: times,
    ms: fc.array(times, { minLength: 1 }),
  })
  .map(({ words, keys, kind, ms, ...rest }) => {
    const typed = keys.join('');
    return JSON.stringify({
      v: 2,
      session: 's',
      completed_at: '2026-01-05T09:00:00.000Z',
      ...rest,
      ...kind,
      words: words.join(' '),
      keys: typed,
      ms: Array.from({ length: countKeys(typed) }, (_, at) => ms[at % ms.length]),
    });
  });
