/** UTF-16 units of a piece: few enough to be copied in a microsecond. */
const pieceLength = 1024;
/** Units after which what was added is put together: until then each addition takes some 32 bytes beside its text. */
const looseLength = 128;

/**
 * A text that only grows, in pieces that are never touched again: adding to it and reading a part of it cost the same
 * however long it is. (A string that grows by `+` is copied as a whole at the first reading after that.) Plain JSON.
 */
export interface Tape {
  /** All of the same length. */
  readonly pieces: readonly string[];
  /** What is not enough for a piece yet. */
  readonly open: string;
  /** UTF-16 units in all. */
  readonly length: number;
}

export const emptyTape: Tape = { pieces: [], open: '', length: 0 };

export function appendToTape(tape: Tape, text: string): Tape {
  let { pieces } = tape;
  let open = tape.open + text;
  while (open.length >= pieceLength) {
    pieces = [...pieces, open.slice(0, pieceLength)];
    open = open.slice(pieceLength);
  }
  // V8 makes one string of a tree of additions before it looks at one of its units.
  if (open.length >= looseLength && open.length % looseLength < text.length) open.charCodeAt(0);
  return { pieces, open, length: tape.length + text.length };
}

/** The UTF-16 unit at a position, which must lie on the tape. */
export function unitAt({ pieces, open }: Tape, position: number): number {
  const piece = pieces[Math.floor(position / pieceLength)] ?? open;
  return piece.charCodeAt(position % pieceLength);
}

/** The text from a position on, default: from the beginning. */
export function tapeText({ pieces, open, length }: Tape, from = 0): string {
  if (from >= length) return '';
  const first = Math.floor(from / pieceLength);
  const [head = '', ...rest] = [...pieces.slice(first), open];
  return head.slice(from % pieceLength) + rest.join('');
}
