import {
  type FieldForm,
  type FormInput,
  type FormLines,
  newInput,
  problemOf,
  toEntries,
} from './form-input.ts';
import { parseLink, parseLinkLabel } from './link.ts';
import { parseMessage } from './message.ts';
import { mostTranslations, parseLanguageTag, type Translations } from './translations.ts';

const parts = ['message', 'link', 'linkLabel'] as const;
type Part = (typeof parts)[number];

const labels: Readonly<Record<Part, string>> = { message: 'Message', link: 'Link', linkLabel: 'Link label' };

/** Name of the line for a part in a language: `message.de`. */
function translationLine(part: Part, language: string): string {
  return `${part}.${language}`;
}

/** The part and language that a label such as `Link label pt-BR` names; undefined if it names none. */
export function readTranslationLabel(
  label: string,
): { readonly name: string; readonly language: string } | undefined {
  const [, written = '', tag = ''] = /^(message|link|link label) ([a-z0-9-]+)$/i.exec(label) ?? [];
  const part = parts.find((candidate) => labels[candidate].toLowerCase() === written.toLowerCase());
  const checked = parseLanguageTag(tag);
  if (part === undefined || 'problem' in checked) return undefined;
  return { name: translationLine(part, checked.tag), language: checked.tag };
}

/** The languages on a line, in their usual spelling, each once. */
function languagesOf(line: string): string[] {
  const tags = toEntries(line).flatMap((text) => {
    const checked = parseLanguageTag(text);
    return 'tag' in checked ? [checked.tag] : [];
  });
  return [...new Set(tags)];
}

/** Translations as a line of languages, and three lines for each of them. */
export const translationsForm: FieldForm<Translations> = {
  inputs: ({ languages = '' }) => [
    newInput({
      name: 'languages',
      label: 'Languages',
      hint: 'none; or those it is translated into, such as de pt-BR',
      problemIn: problemInLanguages,
    }),
    ...languagesOf(languages).flatMap(inputsOf),
  ],
  write: (translations = {}) => {
    const lines = Object.entries(translations).flatMap(([language, words]) =>
      parts.map((part) => [translationLine(part, language), words[part] ?? ''] as const),
    );
    return { languages: Object.keys(translations).join(' '), ...Object.fromEntries(lines) };
  },
  read: (lines) => {
    const languages = languagesOf(lines.languages ?? '');
    return languages.length === 0
      ? null
      : Object.fromEntries(languages.map((language) => [language, readWords(lines, language)]));
  },
};

function inputsOf(language: string): FormInput[] {
  const newLine = (part: Part, hint: string, problemIn: (text: string) => string | undefined) =>
    newInput({
      name: translationLine(part, language),
      label: `${labels[part]} ${language}`,
      hint,
      problemIn,
    });
  return [
    newLine('message', `the message in that language`, (text) => problemOf(parseMessage(text))),
    newLine('link', 'the same link', (text) => problemOf(parseLink(text))),
    newLine('linkLabel', 'the same words of the link', (text) => problemOf(parseLinkLabel(text))),
  ];
}

function readWords(lines: FormLines, language: string): object {
  const words = parts.map((part) => [part, (lines[translationLine(part, language)] ?? '').trim()] as const);
  return Object.fromEntries(words.filter(([part, text]) => part === 'message' || text !== ''));
}

function problemInLanguages(line: string): string | undefined {
  const entries = toEntries(line);
  if (entries.length > mostTranslations)
    return `${entries.length} languages are too many; at most ${mostTranslations} are allowed`;
  return entries.map((entry) => problemOf(parseLanguageTag(entry))).find((problem) => problem !== undefined);
}
