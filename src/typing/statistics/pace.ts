/** Shortest typing that has a consistency, and shortest remainder that counts as a second; in milliseconds. */
const minTyping = 2000;
const minRest = 500;

/** Characters typed in each second since the timer started, added up as they come. Plain JSON. */
export interface Pace {
  /** Index of the latest second with a keystroke, and the characters typed in it. */
  second: number;
  keys: number;
  /** Over the seconds before: the characters typed, and the sum of the squares of the characters of each second. */
  sum: number;
  squares: number;
}

export function newPace(): Pace {
  return { second: 0, keys: 0, sum: 0, squares: 0 };
}

/** Adds a character typed at `ms` after the start of the timer. A second includes its end and not its beginning. */
export function addToPace(pace: Pace, ms: number): void {
  const second = Math.max(0, Math.ceil(ms / 1000) - 1);
  if (second > pace.second) {
    pace.sum += pace.keys;
    pace.squares += pace.keys ** 2;
    pace.second = second;
    pace.keys = 0;
  }
  pace.keys++;
}

/**
 * How even the typing was, 0 to 100: 100·(1 − tanh(c + c³/3 + c⁵/5)), c = population standard deviation / mean of the
 * raw speeds of the seconds, as in monkeytype. A remainder of at least half a second after the last whole second counts as
 * a second, with its speed computed over its own length. Null if less than two seconds were measured.
 *
 * @param elapsedMs total time of the measured typing
 */
export function consistencyOf(
  { second, keys, sum, squares }: Readonly<Pace>,
  elapsedMs: number,
): number | null {
  if (elapsedMs < minTyping) return null;
  const whole = Math.floor(elapsedMs / 1000);
  const rest = elapsedMs - whole * 1000;
  // Characters per second instead of WPM: a common factor does not change the ratio of deviation and mean.
  const isWhole = second < whole;
  const last = !isWhole && rest >= minRest ? (keys / rest) * 1000 : 0;
  const count = whole + (rest >= minRest ? 1 : 0);
  const mean = (sum + (isWhole ? keys : last)) / count;
  if (mean === 0) return null;
  const variance = (squares + (isWhole ? keys : last) ** 2) / count - mean ** 2;
  const c = Math.sqrt(Math.max(0, variance)) / mean;
  return 100 * (1 - Math.tanh(c + c ** 3 / 3 + c ** 5 / 5));
}
