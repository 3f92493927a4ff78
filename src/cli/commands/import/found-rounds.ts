import { cut, safeText } from '../../../kit/terminal-text.ts';
import type { StoredRound } from '../../../server/stores/stored-round.ts';
import type { RoundRecord } from '../../../tui/progress/round-record.ts';

export interface FoundRound {
  readonly record: RoundRecord;
  /** The round itself, which other programs do not export. */
  readonly round?: StoredRound;
}

/** What a file to import holds. */
export interface FoundRounds {
  /** The program that it comes from, as people call it. */
  readonly program: string;
  /** In the order of the file. */
  readonly rounds: readonly FoundRound[];
  /** What could not be taken, and why: a place such as "line 12", and a part of a sentence. */
  readonly problems: readonly { readonly place: string; readonly reason: string }[];
}

/** Thrown for one round that makes no sense; the others are taken. */
export class RoundProblem extends Error {}

/** Takes each item, and notes those that make no sense. */
export function foundRounds<Item>(
  program: string,
  items: readonly { readonly item: Item; readonly place: string }[],
  parse: (item: Item) => FoundRound,
): FoundRounds {
  const rounds: FoundRound[] = [];
  const problems: { place: string; reason: string }[] = [];
  for (const { item, place } of items) {
    try {
      rounds.push(parse(item));
    } catch (error) {
      if (!(error instanceof RoundProblem)) throw error;
      problems.push({ place, reason: error.message });
    }
  }
  return { program, rounds, problems };
}

// The file may come from anywhere: a value out of bounds is a problem of its round.

/** A finite number between 0 and `max`. */
export function parseQuantity(value: unknown, name: string, max: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= 0 && number <= max) return number;
  throw new RoundProblem(`${name} is ${shown(value)} instead of a number from 0 to ${max}`);
}

/** A whole number between 0 and `max`. */
export function parseCount(value: unknown, name: string, max: number): number {
  const number = parseQuantity(value, name, max);
  if (Number.isInteger(number)) return number;
  throw new RoundProblem(`${name} is ${shown(value)} instead of a whole number`);
}

/** Rounds may be from 1995, before any typing site, up to a day ahead of this clock. */
const earliest = Date.UTC(1995, 0);
const dayMs = 24 * 60 * 60 * 1000;

/** An instant in ISO 8601 UTC, from Unix ms or a text that names a moment. */
export function parseInstant(value: unknown, name: string): string {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{9,16}$/.test(value));
  const ms = isNumber ? Number(value) : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (ms >= earliest && ms <= Date.now() + dayMs) return new Date(ms).toISOString();
  throw new RoundProblem(`${name} is ${shown(value)} instead of a time between 1995 and now`);
}

/** A name that can stand in tables, files and options; undefined for anything else. */
export function parseName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.trim().toLowerCase();
  return /^[a-z][a-z0-9_-]{0,39}$/.test(name) ? name : undefined;
}

const maxShown = 40;

function shown(value: unknown): string {
  if (value === undefined || value === '') return 'missing';
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value;
  return `"${cut(safeText(text.slice(0, 10 * maxShown)), maxShown)}"`;
}
