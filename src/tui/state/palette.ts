import {
  type Choices,
  isCurrent,
  type PaletteEntry,
  toNumberEntries,
  toPaletteEntries,
  toTextEntries,
} from './palette-entries.ts';

/** What is typed into the palette, and the place among what it finds. */
export interface Palette {
  readonly query: string;
  readonly row: number;
  /** Whether the next Enter gives up the round under way. */
  readonly isSure: boolean;
}

export const newPalette: Palette = { query: '', row: 0, isSure: false };

/** The entries that a query finds, the best first; all of them, in their own order, for an empty one. */
export function findEntries(choices: Choices, query: string): PaletteEntry[] {
  const terms = toTerms(query);
  const entries = [...toPaletteEntries(choices), ...toNumberEntries(query)];
  const ranked = entries.map((entry) => ({ entry, rank: rankEntry(entry, terms, choices) }));
  const best = ranked.filter(({ rank }) => rank > scatteredRank);
  const found = best.length > 0 ? best : ranked.filter(({ rank }) => rank > 0);
  return [...toTextEntries(query), ...found.toSorted((a, b) => b.rank - a.rank).map(({ entry }) => entry)];
}

/** Of an entry in which some term is found as scattered letters only. */
const scatteredRank = 1;

/** As people say it: a 15-second test, yesterday's results. */
function toTerms(query: string): string[] {
  const terms = toPlain(query).split(/[\s-]+/);
  return terms.map((term) => term.replace(/['’]s$/, '')).filter(Boolean);
}

/** Every term must be found somewhere; 0 where one is not. Several that are all of a name, in its order, mean that. */
function rankEntry(entry: PaletteEntry, terms: readonly string[], { options }: Choices): number {
  const { group, label, secondName = '', aliases } = entry;
  const names: Names = {
    group: toWords(group),
    label: toWords(`${label} ${secondName}`),
    first: [label, secondName].map((name) => toWords(name)[0] ?? ''),
    all: toWords(`${group} ${label} ${secondName} ${aliases}`),
  };
  const ranks = terms.map((term) => rankTerm(names, term));
  if (ranks.includes(0)) return 0;
  if (ranks.includes(scatteredRank)) return scatteredRank;
  const isNamed =
    terms.length > 1 && [label, secondName].some((name) => toTerms(name).join() === terms.join());
  const rank = ranks.reduce((sum, each) => sum + each, isNamed ? 53 : 3);
  // People look for an option to change it, so its present value comes last.
  const isKept = terms.length > 0 && entry.choice.type === 'set' && isCurrent(entry, options);
  return isKept ? Math.max(scatteredRank + 1, rank - 45) : rank;
}

/** The words that an entry is found by; `all` has its aliases, too. */
interface Names {
  readonly group: readonly string[];
  readonly label: readonly string[];
  /** Words that a name begins with. */
  readonly first: readonly string[];
  readonly all: readonly string[];
}

function toWords(text: string): string[] {
  return toPlain(text).split(/[\s:,()]+/);
}

/** A whole word before its beginning, that before a part of it, and that before scattered letters; names before aliases. */
function rankTerm({ group, label, first, all }: Names, term: string): number {
  if (group.includes(term)) return 120;
  if (label.includes(term)) return 100;
  if (all.includes(term)) return 80;
  if (first.some((word) => word.startsWith(term))) return 60;
  if (group[0]?.startsWith(term)) return 55;
  if (all.some((word) => word.startsWith(term))) return 50;
  if (all.some((word) => word.includes(term))) return 20;
  return isScattered([...group, ...label].join(' '), term) ? scatteredRank : 0;
}

/** Letters left out of a name, which begins a word. */
function isScattered(names: string, term: string): boolean {
  return names.split(' ').some((_, at, all) => isScatteredFrom(all.slice(at).join(' '), term));
}

function isScatteredFrom(text: string, term: string): boolean {
  if (text[0] !== term[0]) return false;
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
