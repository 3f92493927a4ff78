import { expect, test } from 'vitest';
import { guessLanguage } from '../../src/cli/commands/play/custom/text-language.ts';
import { readWordList } from '../../src/server/typing/library.ts';

const german =
  'Es war einmal ein König, der hatte eine Tochter, und die war so schön, dass die Sonne selbst, die doch so vieles gesehen hat, sich wunderte, so oft sie ihr ins Gesicht schien.';
const english =
  'It was a dark night, and the old man who had seen so much in his life did not know what he should do with the letter that lay on the table in front of him.';
const french =
  'Il y avait une fois un roi et une reine qui étaient si fâchés de ne pas avoir d’enfants, si fâchés que l’on ne saurait dire ; ils allèrent à toutes les eaux du monde.';

test.each([
  ['de', german],
  ['en', english],
  ['fr', french],
])('a text in %s is recognised by its frequent words', (language, text) => {
  expect(guessLanguage(text)).toBe(language);
  expect(guessLanguage(text.toUpperCase())).toBe(language);
});

test('the language of a short, mixed or unknown text is not guessed', () => {
  expect(guessLanguage('der die das und')).toBeUndefined();
  expect(guessLanguage(`${german} ${english}`)).toBeUndefined();
  expect(guessLanguage('qqq xxx zzz '.repeat(100))).toBeUndefined();
  expect(guessLanguage('日本語'.repeat(1000))).toBeUndefined();
});

test('nearly identical languages are not distinguished by chance', () => {
  const shared = readWordList('da')
    .slice(0, 300)
    .filter((word) => readWordList('nb').slice(0, 300).includes(word));
  expect(guessLanguage(shared.join(' '))).toBeUndefined();
});
