/** A word counts as five characters (Yamada 1980); a minute has 60,000 milliseconds. */
const wpmOfOneCharacterPerMs = 60_000 / 5;

/** Words per minute: characters / 5 / minutes. 0 if no time has passed. */
export function wpmOf(characters: number, milliseconds: number): number {
  return milliseconds > 0 ? (characters * wpmOfOneCharacterPerMs) / milliseconds : 0;
}

/** A part in percent of the whole; 0 if the whole is 0. */
export function percentage(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}

/** The mean; 0 if there is nothing. */
export function meanOf(sum: number, count: number): number {
  return count > 0 ? sum / count : 0;
}
