import { englishName } from '../../typing/letters/language.ts';
import type { Layout } from '../../typing/letters/layout.ts';
import type { Catalog } from '../link/session.ts';

/** More letters are not named one by one. */
const maxNamed = 8;

/**
 * That a layout has no keys for letters of a language, and which one has, in one sentence. Where no layout has
 * a key for each, it is one named after the language; empty if that is no better.
 */
export function layoutGapText(
  { languages, layouts }: Catalog,
  languageId: string,
  layout: Pick<Layout, 'name' | 'rows'>,
): string {
  const { alphabet = '' } = languages.find(({ id }) => id === languageId) ?? {};
  const missing = missingLetters(alphabet, layout.rows);
  if (missing.length === 0) return '';
  const language = englishName(languageId);
  const [best] = layouts
    .map(({ name, rows }) => ({
      name,
      rank: rankOf(name, language),
      lacks: missingLetters(alphabet, rows).length,
    }))
    .filter(({ rank, lacks }) => lacks < missing.length && (lacks === 0 || rank >= 1))
    .sort((a, b) => a.lacks - b.lacks || b.rank - a.rank);
  if (best === undefined) return '';
  const letters = missing.length > maxNamed ? `letters of ${language}` : missing.join(', ');
  const extent = best.lacks === 0 ? 'has them' : 'has most of them';
  return `${layout.name} has no keys for ${letters}; the layout ${best.name} ${extent} (Ctrl+P).`;
}

/** Highest for a layout named after the language, such as `German`; lower for its variants. */
function rankOf(layout: string, language: string): number {
  return Number(layout.split(' ')[0] === language.split(' ')[0]) + Number(!layout.includes('('));
}

export function missingLetters(alphabet: string, rows: Layout['rows']): string[] {
  const keys = new Set(rows.flat());
  return [...alphabet].filter((letter) => !keys.has(letter));
}
