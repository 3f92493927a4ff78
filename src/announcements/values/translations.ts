import type { Checked, Parsed } from './field.ts';
import { parseLink, parseLinkLabel } from './link.ts';
import { markWarnings, parseWords, partsOf, type Words, withOneSpelling } from './markdown.ts';
import { messageWarnings } from './message.ts';
import { byteLengthOf, isJsonObject, readParts } from './object-parts.ts';

export interface Translation extends Words {
  /** Default: the link of the announcement. */
  readonly link?: string;
  readonly linkLabel?: string;
}

/** Keys are language tags in their usual spelling. */
export type Translations = Readonly<Record<string, Translation>>;

const maxTranslations = 20;
/** Limit of all translations of an announcement together, as JSON. */
const maxTranslationBytes = 16_384;

/** Checks translations; an empty object becomes undefined. */
export function parseTranslations(given: unknown): Checked<Translations> {
  if (!isJsonObject(given)) return { problem: 'translations is not an object { … }' };
  const entries = Object.entries(given);
  if (entries.length > maxTranslations)
    return {
      problem: `translations has ${entries.length} languages; at most ${maxTranslations} are allowed`,
    };
  const translations = new Map<string, Translation>();
  const warnings: string[] = [];
  for (const [language, value] of entries) {
    const checked = parseLanguageTag(language);
    if ('problem' in checked) return checked;
    const { value: tag } = checked;
    if (translations.has(tag)) return { problem: `translations has ${tag} twice` };
    const result = parseTranslation(value, tag);
    if ('problem' in result) return result;
    translations.set(tag, result.value);
    const { message, markdown = '' } = result.value;
    const name = `message for ${tag}`;
    warnings.push(...messageWarnings(message, name), ...markWarnings(markdown, name));
  }
  if (translations.size === 0) return { value: undefined };
  const value = Object.fromEntries(translations);
  if (byteLengthOf(value) > maxTranslationBytes)
    return { problem: `translations has more than ${maxTranslationBytes} bytes` };
  return { value, warnings };
}

function parseTranslation(given: unknown, tag: string): Parsed<Translation> {
  const read = readParts(given, `the translation for ${tag}`, ['message', 'markdown', 'link', 'linkLabel']);
  if ('problem' in read) return { ...read, at: tag };
  const { link: address = '', linkLabel: label = '', ...spellings } = read.parts;
  if (typeof address !== 'string') return { problem: 'the link is not a text', at: `${tag}.link` };
  const words = parseWords(spellings, 'the message is missing; a translation needs one');
  if ('problem' in words) return { ...words, at: `${tag}.${words.at}` };
  const link = parseLink(address);
  if ('problem' in link) return { ...link, at: `${tag}.link` };
  const linkLabel = parseLinkLabel(label);
  if ('problem' in linkLabel) return { ...linkLabel, at: `${tag}.linkLabel` };
  const value = {
    ...words.value,
    ...(link.value === '' ? {} : { link: link.value }),
    ...(linkLabel.value === undefined ? {} : { linkLabel: linkLabel.value }),
  };
  return { value };
}

/** In a patch, one spelling of a message replaces the other. */
export function patchTranslations(patch: object): object {
  return Object.fromEntries(
    Object.entries(patch).map(([tag, words]) => [tag, isJsonObject(words) ? withOneSpelling(words) : words]),
  );
}

/** The language for a reader of `language`: that one, else the one without its region (`de` for `de-AT`). */
export function nearestLanguage(languages: readonly string[], language: string): string | undefined {
  const tags = new Map(languages.map((tag) => [tag.toLowerCase(), tag]));
  const wanted = language.toLowerCase().split('-');
  return wanted
    .map((_, at) => tags.get(wanted.slice(0, wanted.length - at).join('-')))
    .find((tag) => tag !== undefined);
}

/** An announcement in the words of a translation; fields that are not translated stay. */
export function translated<T extends Words>(announcement: T, translation: Translation | undefined): T {
  if (translation === undefined) return announcement;
  const { markdown: _, ...rest } = announcement;
  return { ...rest, ...translation } as T;
}

/**
 * The patch from `--translation`, `--translated-link` and `--translated-link-label`, each
 * `<language>=<text>`: an empty text removes one, `--no-translation` removes all of them. With `--markdown`
 * the messages are formatted.
 */
export function readTranslations(options: Readonly<Record<string, unknown>>): unknown {
  const { translation, translatedLink, translatedLinkLabel, markdown } = options;
  const spelling = markdown === true ? 'markdown' : 'message';
  if (translation === undefined && translatedLink === undefined && translatedLinkLabel === undefined)
    return undefined;
  if (translation === false) return false;
  const languages = new Map<string, Record<string, unknown> | null>();
  const parts = { [spelling]: translation, link: translatedLink, linkLabel: translatedLinkLabel };
  for (const [part, given] of Object.entries(parts))
    for (const [language, text] of pairsOf(given)) {
      const isGone = part === spelling && text === null;
      languages.set(language, isGone ? null : { ...languages.get(language), [part]: text });
    }
  return Object.fromEntries(languages);
}

/** Nothing after the `=` becomes null, which removes it; without an `=` the text is empty, an error. */
function pairsOf(given: unknown): [language: string, text: string | null][] {
  return (Array.isArray(given) ? given : []).map((pair: string) => {
    const [, written = pair, text = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    const checked = parseLanguageTag(written.trim());
    const language = 'value' in checked ? checked.value : written.trim();
    return [language, text.trim() === '' && pair.includes('=') ? null : text];
  });
}

/** The links within a message and its translations, each as `words <address>`. */
export function linksWithin(
  words: Parameters<typeof partsOf>[0] & { readonly translations?: Translations },
): string[] {
  const links = partsOf(words).flatMap(({ text, link }) => (link === undefined ? [] : `${text} <${link}>`));
  const others = Object.entries(words.translations ?? {});
  return [...links, ...others.flatMap(([tag, each]) => linksWithin(each).map((link) => `${tag}: ${link}`))];
}

/** `de: “Wir sind umgezogen” (https://example.org/de)`. */
export function describeTranslations(translations: Translations): string {
  return Object.entries(translations)
    .map(([language, { message, link, linkLabel }]) => {
      const where = [linkLabel, link].filter((part) => part !== undefined).join(': ');
      return `${language}: “${message}”${where === '' ? '' : ` (${where})`}`;
    })
    .join('; ');
}

const maxTag = 35;

// RFC 5646: language, script, region, variants. Extensions and private use do not affect the words.
const tag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*$/;

/** A BCP 47 language tag in its usual spelling, such as `de`, `pt-BR` or `zh-Hant`. */
export function parseLanguageTag(text: string): Parsed<string> {
  const lower = text.toLowerCase();
  if (text.length <= maxTag && tag.test(lower)) return { value: usualSpelling(lower) };
  return {
    problem: `${JSON.stringify(text.slice(0, 40))} is not a language; write one like de, pt-BR or zh-Hant`,
  };
}

function usualSpelling(lower: string): string {
  const [language = '', ...rest] = lower.split('-');
  const parts = rest.map((part) => {
    if (/^[a-z]{4}$/.test(part)) return part.charAt(0).toUpperCase() + part.slice(1);
    return part.length === 2 ? part.toUpperCase() : part;
  });
  return [language, ...parts].join('-');
}
