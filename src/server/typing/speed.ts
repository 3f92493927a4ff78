/** A word is five characters, whatever the words are. */
const charactersPerWord = 5;

/** Words per minute: correct keystrokes / 5 / minutes (the five: Yamada 1980). 0 where no time has passed. */
export function toWpm(correctKeys: number, milliseconds: number): number {
  return milliseconds > 0 ? correctKeys / charactersPerWord / (milliseconds / 60_000) : 0;
}

/**
 * A part in percent, 0 of nothing. As accuracy it is told of all keystrokes that typed a character, so that a mistake
 * costs whether or not it was corrected, as in the total error rate of Soukoreff & MacKenzie (2003).
 */
export function toPercent(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}
