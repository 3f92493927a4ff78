/** A word is five characters, whatever the words are. */
const charactersPerWord = 5;

/**
 * Words per minute: correct keystrokes / 5 / minutes (Yamada 1980 for the five; counting correct keystrokes only is
 * "adjusted" or "net" speed). 0 where no time has passed.
 */
export function toWpm(correctKeys: number, milliseconds: number): number {
  return milliseconds > 0 ? correctKeys / charactersPerWord / (milliseconds / 60_000) : 0;
}

/**
 * Percent of keystrokes that were right when they were made; a mistake counts even if it was corrected later (it is the
 * complement of the total error rate by keystrokes; Soukoreff & MacKenzie 2003). 0 without keystrokes.
 */
export function toPercent(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}
