/** A keyboard layout: which finger types a character, and in which row it is. */
export interface Layout {
  readonly id: string;
  readonly name: string;
  /** Unshifted characters of the top, home, bottom and number row. */
  readonly rows: readonly (readonly string[])[];
  /**
   * Character -> finger: 0 to 3 left little, ring, middle and index finger; 4 and 5 the thumbs; 6 to 9 right
   * index, middle, ring and little finger.
   */
  readonly fingers: Readonly<Record<string, number>>;
}

/**
 * A layout from texts: a row has a character for each key, a space for one that types nothing by itself, such
 * as a dead key. `fingers` has the finger of each column.
 */
export function newLayout(
  id: string,
  name: string,
  rows: readonly string[],
  fingers: readonly string[],
): Layout {
  const fingerOf: Record<string, number> = {};
  for (const [row, keys] of rows.entries()) {
    for (const [column, key] of [...keys].entries()) {
      if (key !== ' ') fingerOf[key] ??= Number(fingers[row]?.[column] ?? 9);
    }
  }
  return { id, name, rows: rows.map((keys) => [...keys].filter((key) => key !== ' ')), fingers: fingerOf };
}

/** The default layout, with the fingers of standard touch typing. */
export const qwerty: Layout = newLayout(
  'qwerty',
  'QWERTY',
  ['qwertyuiop[]\\', "asdfghjkl;'", 'zxcvbnm,./', '`1234567890-='],
  ['0123366789999', '01233667899', '0123366789', '0012336678999'],
);

export type LayoutOf = (id: string) => Layout;

export function fingerOf({ fingers }: Layout, letter: string): number | undefined {
  return Object.hasOwn(fingers, letter) ? fingers[letter] : undefined;
}

/** 0 top, 1 home, 2 bottom, 3 numbers; undefined if the layout does not have the letter. */
export function rowOf({ rows }: Layout, letter: string): number | undefined {
  const row = rows.findIndex((keys) => keys.includes(letter));
  return row < 0 ? undefined : row;
}

export function isLeftHand(finger: number): boolean {
  return finger < 5;
}
