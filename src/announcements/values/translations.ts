import type { Checked } from './field.ts';
import { parseLink, parseLinkLabel } from './link.ts';
import { messageWarnings, parseMessage } from './message.ts';
import { byteLengthOf, isJsonObject, readParts } from './object-parts.ts';

export interface Translation {
  readonly message: string;
  /** Default: the link of the announcement. */
  readonly link?: string;
  readonly linkLabel?: string;
}

/** Keys are language tags in their usual spelling. */
export type Translations = Readonly<Record<string, Translation>>;

export const mostTranslations = 20;
/** Limit of all translations of an announcement together, as JSON. */
const mostTranslationBytes = 16_384;

/** Checks translations; an empty object becomes undefined. */
export function parseTranslations(given: unknown): Checked<Translations> {
  if (!isJsonObject(given)) return { problem: 'translations is not an object { … }' };
  const entries = Object.entries(given);
  if (entries.length > mostTranslations)
    return {
      problem: `translations has ${entries.length} languages; at most ${mostTranslations} are allowed`,
    };
  const translations = new Map<string, Translation>();
  const warnings: string[] = [];
  for (const [language, value] of entries) {
    const checked = parseLanguageTag(language);
    if ('problem' in checked) return checked;
    const { tag } = checked;
    if (translations.has(tag)) return { problem: `translations has ${tag} twice` };
    const result = parseTranslation(value, tag);
    if ('problem' in result) return result;
    translations.set(tag, result.translation);
    warnings.push(...messageWarnings(result.translation.message, `message for ${tag}`));
  }
  if (translations.size === 0) return { value: undefined };
  const value = Object.fromEntries(translations);
  if (byteLengthOf(value) > mostTranslationBytes)
    return { problem: `translations has more than ${mostTranslationBytes} bytes` };
  return { value, warnings };
}

function parseTranslation(
  given: unknown,
  tag: string,
): { translation: Translation } | { problem: string; at: string } {
  const read = readParts(given, `the translation for ${tag}`, ['message', 'link', 'linkLabel']);
  if ('problem' in read) return { ...read, at: tag };
  const { message: text, link: address = '', linkLabel: label = '' } = read.parts;
  if (typeof text !== 'string')
    return { problem: 'the message is missing; a translation needs one', at: `${tag}.message` };
  if (typeof address !== 'string') return { problem: 'the link is not a text', at: `${tag}.link` };
  const message = parseMessage(text);
  if ('problem' in message) return { ...message, at: `${tag}.message` };
  const link = parseLink(address);
  if ('problem' in link) return { ...link, at: `${tag}.link` };
  const linkLabel = parseLinkLabel(label);
  if ('problem' in linkLabel) return { ...linkLabel, at: `${tag}.linkLabel` };
  const translation = {
    message: message.message,
    ...(link.link === '' ? {} : { link: link.link }),
    ...(linkLabel.value === undefined ? {} : { linkLabel: linkLabel.value }),
  };
  return { translation };
}

/**
 * The translation for a reader's language: the exact one, else that of the language without its region (`de` for `de-AT`), else
 * undefined.
 */
export function translationFor<T extends Translation>(
  translations: Readonly<Record<string, T>> = {},
  language: string,
): T | undefined {
  const wanted = language.toLowerCase().split('-');
  const byTag = new Map(Object.entries(translations).map(([tag, words]) => [tag.toLowerCase(), words]));
  for (let parts = wanted.length; parts > 0; parts -= 1) {
    const found = byTag.get(wanted.slice(0, parts).join('-'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The patch given by `--translation`, `--translated-link` and `--translated-link-label`, each `<language>=<text>`: an empty text
 * removes one, `--no-translation` removes all of them.
 */
export function readTranslations(options: Readonly<Record<string, unknown>>): unknown {
  const { translation, translatedLink, translatedLinkLabel } = options;
  if (translation === undefined && translatedLink === undefined && translatedLinkLabel === undefined)
    return undefined;
  if (translation === false) return false;
  const languages = new Map<string, Record<string, unknown> | null>();
  for (const [language, message] of toPairs(translation))
    languages.set(language, message === null ? null : { message });
  for (const [part, given] of [
    ['link', translatedLink],
    ['linkLabel', translatedLinkLabel],
  ] as const)
    for (const [language, text] of toPairs(given))
      languages.set(language, { ...languages.get(language), [part]: text });
  return Object.fromEntries(languages);
}

/** Nothing after the `=` becomes null, which removes; without an `=` the text is empty, which the check refuses. */
function toPairs(given: unknown): [language: string, text: string | null][] {
  return (Array.isArray(given) ? given : []).map((pair: string) => {
    const [, written = pair, text = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    const checked = parseLanguageTag(written.trim());
    const language = 'tag' in checked ? checked.tag : written.trim();
    return [language, text.trim() === '' && pair.includes('=') ? null : text];
  });
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

const longestTag = 35;

// RFC 5646: language, script, region, variants. Extensions and private use have no influence on the words to show.
const tag = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*$/;

/** A BCP 47 language tag in its usual spelling, such as `de`, `pt-BR` or `zh-Hant`. */
export function parseLanguageTag(text: string): { readonly tag: string } | { readonly problem: string } {
  const lower = text.toLowerCase();
  if (text.length <= longestTag && tag.test(lower)) return { tag: toUsualSpelling(lower) };
  return {
    problem: `${JSON.stringify(text.slice(0, 40))} is not a language; write one like de, pt-BR or zh-Hant`,
  };
}

function toUsualSpelling(lower: string): string {
  const [language = '', ...rest] = lower.split('-');
  const parts = rest.map((part) => {
    if (/^[a-z]{4}$/.test(part)) return part.charAt(0).toUpperCase() + part.slice(1);
    return part.length === 2 ? part.toUpperCase() : part;
  });
  return [language, ...parts].join('-');
}
