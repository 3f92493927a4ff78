/** UTF-16 units of a piece: few enough to copy in a microsecond. */
const pieceLength = 1024;
/** Units after which additions are flattened: until then each takes about 32 bytes besides its text. */
const looseLength = 128;
const anything = /^/;

/**
 * A text that grows and shrinks at its end, in pieces that never change again: the cost of that, and of
 * reading a part, does not depend on its length. (A string built with `+` is copied as a whole by the next
 * read: a key of a round with 18,000 inputs took 59 µs instead of 2.) Plain JSON.
 */
export interface Tape {
  /** All of the same length. */
  readonly pieces: readonly string[];
  /** The end, which is too short for a piece. */
  readonly open: string;
  /** Total UTF-16 units. */
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
  // V8 flattens its tree of concatenations for a regular expression; in Node 26, an unused read does not.
  if (open.length >= looseLength && open.length % looseLength < text.length) anything.test(open);
  return { pieces, open, length: tape.length + text.length };
}

/** The UTF-16 unit at a position, which must be below `length`. */
export function unitAt({ pieces, open }: Tape, position: number): number {
  const piece = pieces[Math.floor(position / pieceLength)] ?? open;
  return piece.charCodeAt(position % pieceLength);
}

/** The text from a position on; default: from the beginning. */
export function tapeText({ pieces, open, length }: Tape, from = 0): string {
  if (from >= length) return '';
  const first = Math.floor(from / pieceLength);
  const [head = '', ...rest] = [...pieces.slice(first), open];
  return head.slice(from % pieceLength) + rest.join('');
}

/** The beginning of a tape, up to this many UTF-16 units. */
export function cutTape({ pieces, open, length }: Tape, to: number): Tape {
  const closed = length - open.length;
  if (to >= closed) return { pieces, open: open.slice(0, to - closed), length: to };
  const kept = Math.floor(to / pieceLength);
  return { pieces: pieces.slice(0, kept), open: (pieces[kept] ?? '').slice(0, to % pieceLength), length: to };
}
