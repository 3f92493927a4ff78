/** Top, home, bottom and number row of an ISO keyboard, from the left; on ANSI, `BKSL` ends the top row. */
export const positions = [
  [...span('AD', 12), 'ANSI'],
  [...span('AC', 11), 'ISO'],
  ['LSGT', ...span('AB', 10)],
  ['TLDE', ...span('AE', 12)],
] as const;

/** The finger of each key: 0 to 3 left little finger to index, 6 to 9 right index to little finger. */
export const fingerRows = ['0123366789999', '012336678999', '00123366789', '0012336678999'];

function span(row: string, length: number): string[] {
  return Array.from({ length }, (_, index) => `${row}${String(index + 1).padStart(2, '0')}`);
}
