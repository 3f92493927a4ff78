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

/** The finger for each key of a row in standard touch typing. */
const columns = [0, 1, 2, 3, 3, 6, 6, 7, 8, 9, 9, 9, 9];
const numberColumns = [0, 0, 1, 2, 3, 3, 6, 6, 7, 8, 9, 9, 9];

/** A layout with the fingers of standard touch typing. `rows`: top, home, bottom and number row. */
export function newLayout(id: string, name: string, rows: readonly (readonly string[])[]): Layout {
  const fingers: Record<string, number> = {};
  for (const [row, keys] of rows.entries()) {
    const fingersOfRow = row === 3 ? numberColumns : columns;
    for (const [column, key] of keys.entries()) fingers[key] = fingersOfRow[column] ?? 9;
  }
  return { id, name, rows, fingers };
}

/** The default layout. */
export const qwerty: Layout = newLayout(
  'qwerty',
  'QWERTY',
  ['qwertyuiop[]\\', "asdfghjkl;'", 'zxcvbnm,./', '`1234567890-='].map((keys) => [...keys]),
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
