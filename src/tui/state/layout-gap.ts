import { englishName } from '../../typing/letters/language.ts';
import type { Layout } from '../../typing/letters/layout.ts';
import type { Catalog } from '../link/session.ts';

/** More letters are not named one by one. */
const maxNamed = 8;

/**
 * That a layout has no keys for letters of a language, and which one has, in one sentence. One named after the
 * language has them all: its third level (AltGr) is not in the rows. Empty if no other layout is better.
 */
export function layoutGapText(
  { languages, layouts }: Catalog,
  languageId: string,
  layout: Pick<Layout, 'name' | 'rows'>,
): string {
  const { alphabet = '' } = languages.find(({ id }) => id === languageId) ?? {};
  const language = englishName(languageId);
  const missingOn = ({ name, rows }: typeof layout) =>
    isNamedAfter(name, language) ? [] : missingLetters(alphabet, rows);
  const missing = missingOn(layout);
  if (missing.length === 0) return '';
  const [best] = layouts
    .filter((other) => missingOn(other).length === 0)
    .sort((a, b) => rankOf(b, language, layout.rows) - rankOf(a, language, layout.rows));
  if (best === undefined) return '';
  const letters = missing.length > maxNamed ? `some letters of ${language}` : missing.join(', ');
  return `${layout.name} lacks ${letters}. Ctrl+P: layout ${best.name}.`;
}

/** Named after the language first, then most keys where the typist has them, then no variant. */
function rankOf({ name, rows }: Layout, language: string, before: Layout['rows']): number {
  const letterRows = rows.slice(0, 3);
  const inPlace = letterRows.flatMap((row, y) => row.filter((key, x) => key === before[y]?.[x])).length;
  const isAlike = inPlace > letterRows.flat().length / 2;
  return 4 * Number(isNamedAfter(name, language)) + 2 * Number(isAlike) + Number(!name.includes('('));
}

function isNamedAfter(layout: string, language: string): boolean {
  return layout.split(' ')[0] === language.split(' ')[0];
}

/** Letters without a key; where a layout has accents of their own, those with a mark are typed by two. */
export function missingLetters(alphabet: string, rows: Layout['rows']): string[] {
  const keys = new Set(rows.flat());
  const hasAccents = ['´', '^', '¨', 'ˇ', '~'].some((accent) => keys.has(accent));
  return [...alphabet].filter((letter) => !keys.has(letter) && !(hasAccents && keys.has(baseOf(letter))));
}

/** The letter without its marks. */
export function baseOf(letter: string): string {
  return letter.normalize('NFD').replace('œ', 'o').replace('æ', 'a').charAt(0);
}
