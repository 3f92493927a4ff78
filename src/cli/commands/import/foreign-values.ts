// Values of files that anybody may have written: what is out of bounds is a problem of its round.
import { toTerminalText } from '../../output/text-width.ts';
import { RoundProblem } from './found-rounds.ts';

/** A finite number between 0 and `most`. */
export function toQuantity(value: unknown, name: string, most: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && number >= 0 && number <= most) return number;
  throw new RoundProblem(`${name} is ${toShown(value)} instead of a number from 0 to ${most}`);
}

/** A whole number between 0 and `most`. */
export function toCount(value: unknown, name: string, most: number): number {
  const number = toQuantity(value, name, most);
  if (Number.isInteger(number)) return number;
  throw new RoundProblem(`${name} is ${toShown(value)} instead of a whole number`);
}

/** No typing site is older, and no clock is a day ahead. */
const earliest = Date.UTC(1995, 0);
const dayMs = 24 * 60 * 60 * 1000;

/** An instant in ISO 8601 UTC, from Unix ms or a text that names a moment. */
export function toInstant(value: unknown, name: string): string {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{9,16}$/.test(value));
  const ms = isNumber ? Number(value) : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (ms >= earliest && ms <= Date.now() + dayMs) return new Date(ms).toISOString();
  throw new RoundProblem(`${name} is ${toShown(value)} instead of a time between 1995 and now`);
}

/** A name that can stand in tables, files and options; undefined for anything else. */
export function toPlainName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.trim().toLowerCase();
  return /^[a-z][a-z0-9_-]{0,39}$/.test(name) ? name : undefined;
}

const longestShown = 40;

function toShown(value: unknown): string {
  if (value === undefined || value === '') return 'missing';
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : typeof value;
  return toTerminalText(`"${text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}"`);
}
