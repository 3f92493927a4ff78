// Standard QWERTY touch typing. The numbers of fingers and rows are those of the session API.

const keyboardRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'] as const;

export const letters = [...keyboardRows.join('')].sort();

export const rowNames = ['top', 'home', 'bottom'] as const;

/** 0–3 left little to index finger, 4 and 5 the thumbs, 6–9 right index to little finger. */
export const fingerNames: Readonly<Record<number, string>> = {
  0: 'left little',
  1: 'left ring',
  2: 'left middle',
  3: 'left index',
  6: 'right index',
  7: 'right middle',
  8: 'right ring',
  9: 'right little',
};

const fingerLetters: readonly (readonly [number, string])[] = [
  [0, 'qaz'],
  [1, 'wsx'],
  [2, 'edc'],
  [3, 'rfvtgb'],
  [6, 'yhnujm'],
  [7, 'ik'],
  [8, 'ol'],
  [9, 'p'],
];

const fingers = new Map(
  fingerLetters.flatMap(([finger, keys]) => [...keys].map((key) => [key, finger] as const)),
);

/** The finger of a letter a–z; undefined for everything else. */
export function toFinger(letter: string): number | undefined {
  return fingers.get(letter);
}

export const fingerNumbers: readonly number[] = fingerLetters.map(([finger]) => finger);
