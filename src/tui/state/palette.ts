import { type Choices, type PaletteEntry, toNumberEntries, toPaletteEntries } from './palette-entries.ts';

/** What is typed into the palette, and the place among what it finds. */
export interface Palette {
  readonly query: string;
  readonly row: number;
  /** Whether the next Enter gives up the round under way. */
  readonly isSure: boolean;
}

export const newPalette: Palette = { query: '', row: 0, isSure: false };

/** The entries that a query finds, the best first; all of them for an empty one. */
export function findEntries(choices: Choices, query: string): PaletteEntry[] {
  const terms = toPlain(query).split(/\s+/).filter(Boolean);
  const entries = [...toPaletteEntries(choices), ...toNumberEntries(query)];
  return entries
    .map((entry) => ({ entry, rank: rankEntry(entry, terms) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
}

/** Every term must be found somewhere; 0 where one is not. */
function rankEntry({ group, label, aliases }: PaletteEntry, terms: readonly string[]): number {
  const text = toPlain(`${group} ${label} ${aliases}`);
  const ranks = terms.map((term) => rankTerm(text, term, toPlain(label)));
  return ranks.includes(0) ? 0 : ranks.reduce((sum, rank) => sum + rank, 1);
}

/** A whole word before its beginning, that before a part of it, and that before scattered letters; the label counts most. */
function rankTerm(text: string, term: string, label: string): number {
  const words = text.split(' ');
  if (words.includes(term)) return 100;
  if (label.startsWith(term)) return 60;
  if (words.some((word) => word.startsWith(term))) return 50;
  if (text.includes(term)) return 20;
  return isScattered(text, term) ? 1 : 0;
}

function isScattered(text: string, term: string): boolean {
  let at = 0;
  for (const letter of term) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Without capitals and accents, so that they need not be typed. */
function toPlain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
