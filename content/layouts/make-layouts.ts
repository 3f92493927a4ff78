// Makes the layouts of this folder again, to the byte, from two Debian packages:
//
//   mkdir sources && (cd sources && apt-get download xkb-data=2.35.1-1 x11proto-dev=2022.1-1)
//   npx tsx content/layouts/make-layouts.ts sources
//
// The nine most popular layouts have a file each, <id>.json: `rows` are the characters that the keys type
// without a modifier (top, home, bottom and number row, from the left), `fingers` the finger of each.
// Every other layout in XKB's register (rules/evdev.lst) that has a home row of letters is in more.json as
// four strings, one character a key, a space for a key that adds none; `fingers` there has the finger of
// each column. A dead key stands for its sign. A character that two keys type belongs to one of them, which
// is the ISO key left of Z only if no other has it.
import { writeFileSync } from 'node:fs';
import { checkedArchive, readFromArchive } from '../words/source-archives.ts';
import { fingerRows, positions } from './key-rows.ts';
import { readKeysyms } from './keysyms.ts';
import { createSymbolsLibrary, type Section } from './xkb-symbols.ts';

const popular = [
  { id: 'qwerty', name: 'QWERTY', file: 'us', variant: 'basic' },
  { id: 'dvorak', name: 'Dvorak', file: 'us', variant: 'dvorak' },
  { id: 'colemak', name: 'Colemak', file: 'us', variant: 'colemak' },
  { id: 'colemak-dh', name: 'Colemak-DH', file: 'us', variant: 'colemak_dh' },
  { id: 'workman', name: 'Workman', file: 'us', variant: 'workman' },
  { id: 'azerty', name: 'AZERTY', file: 'fr', variant: 'basic' },
  { id: 'qwertz', name: 'QWERTZ', file: 'de', variant: 'basic' },
  { id: 'bepo', name: 'BÉPO', file: 'fr', variant: 'bepo' },
  { id: 'neo', name: 'Neo 2', file: 'de', variant: 'neo' },
];

const folder = process.argv[2];
if (folder === undefined)
  throw new Error('Give the folder with the two packages, as described at the top of this file.');
const xkb = checkedArchive(folder, {
  file: 'xkb-data_2.35.1-1_all.deb',
  sha256: '28a79c61b785f403da93af58c39aed13c022032935e3e54362c6707169cfe982',
});
const headers = checkedArchive(folder, {
  file: 'x11proto-dev_2022.1-1_all.deb',
  sha256: '3cab66a6591774188a568f9b54c4e7956f18da76e0e0fc4a779db5f6bcc3f148',
});

const symbols = 'usr/share/X11/xkb/symbols/';
const library = createSymbolsLibrary((file) => readFromArchive(xkb, symbols + file).toString('utf8'));
const characterOf = readKeysyms(readFromArchive(headers, 'usr/include/X11/keysymdef.h').toString('utf8'));

const written = popular.map(({ id, name, file, variant }) => {
  const rows = rowsOf(library.section(file, variant), file);
  const layout = { id, name, rows: rows.map((row) => row.filter(Boolean)), fingers: fingersOf(rows) };
  writeFileSync(new URL(`${id}.json`, import.meta.url), `${JSON.stringify(layout)}\n`);
  return rowStrings(rows).join('\n');
});

// Variants that differ in other levels only, such as dead keys with AltGr, are one layout here.
const seen = new Set(written);
const layouts = readRegister()
  .flatMap((registered) => {
    const { file, variant, name } = registered;
    const rows = rowsOf(library.section(file, variant), file);
    const strings = rowStrings(rows);
    const isKnown = seen.has(strings.join('\n'));
    seen.add(strings.join('\n'));
    if (!hasLetters(rows) || (isKnown && variant !== undefined)) return [];
    return [{ id: layoutId(registered), name, rows: strings }];
  })
  .sort((a, b) => (a.id < b.id ? -1 : 1));
const lines = layouts.map((layout) => JSON.stringify(layout)).join(',\n');
writeFileSync(
  new URL('more.json', import.meta.url),
  `{"licence":"MIT (X11), see LICENSE","fingers":${JSON.stringify(fingerRows)},"layouts":[\n${lines}\n]}\n`,
);
console.log(`${popular.length} layouts with a file each, ${layouts.length} in more.json`);

interface Registered {
  readonly file: string;
  readonly variant?: string;
  readonly name: string;
}

/** Layouts and variants, without those for fonts from before Unicode, which type other letters. */
function readRegister(): Registered[] {
  const list = readFromArchive(xkb, 'usr/share/X11/xkb/rules/evdev.lst').toString('utf8');
  const text = list.replaceAll('&lt;', '<').replaceAll('&gt;', '>'); // made from XML
  const [, layouts = ''] = text.split('! layout');
  const [, variants = ''] = text.split('! variant');
  const base = [...(layouts.split('!')[0] ?? '').matchAll(/^ {2}(\S+)\s+(.+)$/gm)];
  const more = [...(variants.split('!')[0] ?? '').matchAll(/^ {2}(\S+)\s+(\S+): (.+)$/gm)];
  const registered = [
    ...base.map(([, file, name]) => ({ file, name }) as Registered),
    ...more.map(([, variant, file, name]) => ({ file, variant, name }) as Registered),
  ];
  return registered.filter(({ file, name }) => file !== 'custom' && !name.includes('encoding'));
}

function layoutId({ file, variant }: Registered): string {
  return variant === undefined ? file : `${file}-${variant}`;
}

function rowsOf({ keys }: Section, file: string): string[][] {
  const backslash = file === 'us' ? 'ANSI' : 'ISO';
  // Every layout is based on `pc`, which puts "<" on the key that ISO keyboards have left of Z.
  const isoKey = file === 'us' ? '' : 'less';
  const characterAt = (position: string) =>
    characterOf(keys.get(position === backslash ? 'BKSL' : position) ?? (position === 'LSGT' ? isoKey : ''));
  const typed = positions.map((row) => row.map(characterAt));
  const owners = new Map<string, string>();
  for (const position of positions.flat())
    if (position !== 'LSGT' && !owners.has(characterAt(position)))
      owners.set(characterAt(position), position);
  return typed.map((row, rowIndex) =>
    row.map((character, column) => {
      const position = positions[rowIndex]?.[column];
      const isOwner = (owners.get(character) ?? 'LSGT') === position;
      return character.length === 1 && isOwner ? character : '';
    }),
  );
}

function fingersOf(rows: readonly string[][]): Record<string, number> {
  return Object.fromEntries(
    rows.flatMap((row, rowIndex) =>
      row.flatMap((character, column) =>
        character === '' ? [] : [[character, Number(fingerRows[rowIndex]?.[column])]],
      ),
    ),
  );
}

function rowStrings(rows: readonly string[][]): string[] {
  return rows.map((row) =>
    row
      .map((character) => character || ' ')
      .join('')
      .trimEnd(),
  );
}

/** Whether it has a home row of letters, and twenty letters in all. */
function hasLetters(rows: readonly string[][]): boolean {
  const isLetter = (character: string) => /^\p{L}$/u.test(character);
  const home = (rows[1] as string[]).filter(isLetter);
  return home.length >= 7 && rows.flat().filter(isLetter).length >= 20;
}
