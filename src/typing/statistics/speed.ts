/** A word is five characters, whatever the words are (Yamada 1980); a minute has 60,000 milliseconds. */
const wpmOfOneCharacterPerMs = 60_000 / 5;

/** Words per minute: characters / 5 / minutes. 0 where no time has passed. */
export function toWpm(characters: number, milliseconds: number): number {
  return milliseconds > 0 ? (characters * wpmOfOneCharacterPerMs) / milliseconds : 0;
}

/** A part in percent, 0 of nothing. */
export function toPercent(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}

/** The mean, 0 of nothing. */
export function toMean(sum: number, count: number): number {
  return count > 0 ? sum / count : 0;
}
