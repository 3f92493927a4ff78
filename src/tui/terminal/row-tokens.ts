import { type Cell, toCells } from './cells.ts';

/**
 * Stands in for whole rows while Ink lays a screen out: it gets one character a row instead of a hundred with colours,
 * which it would take apart again at every frame. The canvas puts the row back in its place.
 */
export interface RowTokens {
  /** One character, one column wide; the same for the same row. */
  toToken(row: string): string;
  /** The cells of the row that a character stands for; undefined for any other character. */
  toCells(character: string): readonly Cell[] | undefined;
  /** Forgets everything once there is little room left. Gives back whether it did: tokens of before then mean nothing. */
  renew(): boolean;
  /** One character for the live row `at`, whose text changes while its place on the screen stays. From 0. */
  toLiveToken(at: number): string;
  /** What the live rows say from now on, the first one first. */
  setLive(rows: readonly string[]): void;
  /** A line of a frame, with the text of live rows in place of their characters. */
  fillIn(line: string): string;
}

/** A margin and the token: all that Ink has to lay out. */
export const tokenColumns = 2;

/** Private use in Unicode: no text of ours or of a server has them (see `isWord` of the link). */
const first = 0xe000;
const last = 0xf7ff;
const firstLive = 0xf800;
const lastLive = 0xf8ff;
const anyLive = /[\uf800-\uf8ff]/g;

/** More new rows than one screen can have. */
const reserve = 1000;

export function createRowTokens(): RowTokens {
  const tokens = new Map<string, string>();
  const rows: string[] = [];
  const cells: (readonly Cell[] | undefined)[] = [];
  let live: readonly string[] = [];

  return {
    toToken(row) {
      const known = tokens.get(row);
      if (known !== undefined) return known;
      if (first + rows.length > last) throw new RangeError('A screen had more rows than there are tokens.');
      const token = String.fromCharCode(first + rows.length);
      tokens.set(row, token);
      rows.push(row);
      return token;
    },
    toCells(character) {
      const code = character.charCodeAt(0);
      if (code >= firstLive && code <= lastLive) return toCells(live[code - firstLive] ?? '', longestRow);
      const at = code - first;
      const row = rows[at];
      if (row === undefined) return undefined;
      cells[at] ??= toCells(row, longestRow);
      return cells[at];
    },
    renew() {
      if (first + rows.length <= last - reserve) return false;
      tokens.clear();
      rows.length = 0;
      cells.length = 0;
      return true;
    },
    toLiveToken(at) {
      if (firstLive + at > lastLive) throw new RangeError('A screen had more rows than there are tokens.');
      return String.fromCharCode(firstLive + at);
    },
    setLive(texts) {
      live = texts;
    },
    fillIn: (line) => line.replace(anyLive, (token) => live[token.charCodeAt(0) - firstLive] ?? ''),
  };
}

/** The canvas cuts a row where the screen ends. */
const longestRow = 1000;
