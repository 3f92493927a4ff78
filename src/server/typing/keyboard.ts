/** Standard touch typing on the QWERTY layout: each row of letters, and the finger that each of its keys belongs to. */
const rows = [
  { letters: 'qwertyuiop', fingers: [0, 1, 2, 3, 3, 6, 6, 7, 8, 9] },
  { letters: 'asdfghjkl', fingers: [0, 1, 2, 3, 3, 6, 6, 7, 8] },
  { letters: 'zxcvbnm', fingers: [0, 1, 2, 3, 3, 6, 6] },
] as const;

export const letterCount = 26;

/** Fingers are numbered from the left little finger (0) to the right one (9); 4 and 5 are the thumbs. */
const fingers = new Uint8Array(letterCount);
const rowsOfLetters = new Uint8Array(letterCount);
rows.forEach((row, rowNumber) => {
  row.fingers.forEach((finger, column) => {
    const letter = letterAt(row.letters, column);
    fingers[letter] = finger;
    rowsOfLetters[letter] = rowNumber;
  });
});

/** The letter at a position of a text: 0 for `a` to 25 for `z`, or -1 where there is no such letter. */
export function letterAt(text: string, position: number): number {
  const letter = text.charCodeAt(position) - 97;
  return letter >= 0 && letter < letterCount ? letter : -1;
}

export function toLetter(letter: number): string {
  return String.fromCharCode(97 + letter);
}

/** 0 to 3: left little, ring, middle and index finger; 6 to 9: right index, middle, ring and little finger. */
export function fingerOf(letter: number): number {
  return fingers[letter] as number;
}

/** 0 top, 1 home, 2 bottom. */
export function rowOf(letter: number): number {
  return rowsOfLetters[letter] as number;
}

export function isLeftHand(letter: number): boolean {
  return fingerOf(letter) < 5;
}
