export interface Language {
  /** BCP 47, such as `en`. */
  readonly id: string;
  readonly name: string;
  /** Its lower-case letters in NFC, one UTF-16 unit each. */
  readonly alphabet: string;
}

export type LanguageOf = (id: string) => Language;

export const english: Language = { id: 'en', name: 'English', alphabet: 'abcdefghijklmnopqrstuvwxyz' };

/** The lower-case letter of a character, which may be its capital; undefined if the language has none. */
export function letterOf({ id, alphabet }: Language, character: string | undefined): string | undefined {
  if (character === undefined) return undefined;
  if (isLetter(alphabet, character)) return character;
  const small = character.toLocaleLowerCase(id);
  return isLetter(alphabet, small) ? small : undefined;
}

function isLetter(alphabet: string, character: string): boolean {
  return character.length === 1 && alphabet.includes(character);
}

let names: Intl.DisplayNames | undefined;

/** What English calls a language, such as `German` for `de`. */
export function englishName(id: string): string {
  names ??= new Intl.DisplayNames(['en'], { type: 'language' });
  try {
    return names.of(id) ?? id;
  } catch {
    return id;
  }
}
