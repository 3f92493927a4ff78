import { englishName } from '../../typing/letters/language.ts';
import type { Layout } from '../../typing/letters/layout.ts';
import type { Catalog } from '../link/session.ts';

/** More letters are not named one by one. */
const maxNamed = 8;

/** That a layout lacks letters of a language, and which one has them, in one sentence; empty if none has. */
export function layoutGapText(
  { languages, layouts }: Catalog,
  languageId: string,
  layout: Pick<Layout, 'name' | 'rows'>,
): string {
  const { alphabet = '' } = languages.find(({ id }) => id === languageId) ?? {};
  const missing = missingLetters(alphabet, layout.rows);
  if (missing.length === 0) return '';
  const language = englishName(languageId);
  const better = layouts
    .filter(({ rows }) => missingLetters(alphabet, rows).length === 0)
    .sort((a, b) => rankOf(b.name, language) - rankOf(a.name, language))[0];
  if (better === undefined) return '';
  const letters = missing.length > maxNamed ? `letters of ${language}` : missing.join(', ');
  return `${layout.name} lacks ${letters}; the layout ${better.name} has them (Ctrl+P).`;
}

/** Highest for a layout named after the language, such as `German`; lower for its variants. */
function rankOf(layout: string, language: string): number {
  return Number(layout.split(' ')[0] === language.split(' ')[0]) + Number(!layout.includes('('));
}

export function missingLetters(alphabet: string, rows: Layout['rows']): string[] {
  const keys = new Set(rows.flat());
  return [...alphabet].filter((letter) => !keys.has(letter));
}
