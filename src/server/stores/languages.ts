import { readFileSync } from 'node:fs';
import { packageFile } from '../../kit/package-files.ts';
import { english, type Language } from '../../typing/letters/language.ts';

let languages: ReadonlyMap<string, Language> | undefined;

/** The languages of this package, read on first use. English comes first. */
export function readLanguages(): ReadonlyMap<string, Language> {
  if (languages === undefined) {
    const text = readFileSync(packageFile('content', 'languages.json'), 'utf8');
    languages = new Map((JSON.parse(text) as Language[]).map((language) => [language.id, language]));
  }
  return languages;
}

/** The language with this id; English if it no longer exists. */
export function languageOf(id: string): Language {
  return readLanguages().get(id) ?? english;
}
