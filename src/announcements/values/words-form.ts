import {
  entriesOf,
  type FieldForm,
  type FormInput,
  type FormLines,
  newFlagForm,
  newInput,
  newTextForm,
  problemOf,
} from './form-input.ts';
import { parseLink, parseLinkLabel } from './link.ts';
import { parseMarkdown } from './markdown.ts';
import { parseMessage } from './message.ts';
import { maxTranslations, parseLanguageTag, type Translations } from './translations.ts';

/*
 * The words of an announcement as lines: its message, whether that is formatted, and its translations. One
 * line, `markdown`, says it for the message and all translations; formatted ones are shown with their marks.
 */

const isFormatted = ({ markdown }: FormLines): boolean => markdown?.trim() === 'yes';

/** The message; its plain text is the line only where it is not formatted. */
export const messageForm: FieldForm<string> = {
  ...newTextForm({ name: 'message', label: 'Message', hint: 'what visitors read, on one line' }),
  inputs: (lines) => [
    newInput({
      name: 'message',
      label: 'Message',
      hint: 'what visitors read, on one line',
      isExtra: false,
      problemIn: messageProblem(lines),
    }),
  ],
  read: (lines) => (isFormatted(lines) ? null : (lines.message ?? '').trim() || null),
};

const formattingLine = newFlagForm(
  {
    name: 'markdown',
    label: 'Formatting',
    hint: 'whether **strong**, *emphasis*, `code` and [words](https://…) are formatting',
  },
  false,
);

/** The source of the message; it is edited in the line of the message. */
export const formattingForm: FieldForm<string> = {
  inputs: formattingLine.inputs,
  write: (source) =>
    source === undefined
      ? { markdown: 'no' }
      : { markdown: 'yes', ...(source === '' ? {} : { message: source }) },
  read: (lines) => (isFormatted(lines) ? (lines.message ?? '').trim() || null : null),
};

function messageProblem(lines: FormLines): (text: string) => string | undefined {
  return (text) => problemOf(isFormatted(lines) ? parseMarkdown(text) : parseMessage(text));
}

const parts = ['message', 'link', 'linkLabel'] as const;
type Part = (typeof parts)[number];

const labels: Readonly<Record<Part, string>> = { message: 'Message', link: 'Link', linkLabel: 'Link label' };

/** Name of the line for a part in a language: `message.de`. */
function lineName(part: Part, language: string): string {
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
  return { name: lineName(part, checked.value), language: checked.value };
}

/** The languages on a line, in their usual spelling, each once. */
function languagesOf(line: string): string[] {
  const tags = entriesOf(line).flatMap((text) => {
    const checked = parseLanguageTag(text);
    return 'value' in checked ? [checked.value] : [];
  });
  return [...new Set(tags)];
}

/** Translations as a line of languages, and three lines for each of them. */
export const translationsForm: FieldForm<Translations> = {
  inputs: (lines) => [
    newInput({
      name: 'languages',
      label: 'Languages',
      hint: 'none; or those it is translated into, such as de pt-BR',
      problemIn: languagesProblem,
    }),
    ...languagesOf(lines.languages ?? '').flatMap((language) => inputsOf(language, lines)),
  ],
  write: (translations = {}) => {
    const words = Object.entries(translations).flatMap(([language, { markdown, ...plain }]) =>
      parts.map((part) => {
        const text = part === 'message' ? (markdown ?? plain.message) : (plain[part] ?? '');
        return [lineName(part, language), text] as const;
      }),
    );
    const isAnyFormatted = Object.values(translations).some(({ markdown }) => markdown !== undefined);
    return {
      languages: Object.keys(translations).join(' '),
      ...Object.fromEntries(words),
      ...(isAnyFormatted ? { markdown: 'yes' } : {}),
    };
  },
  read: (lines) => {
    const languages = languagesOf(lines.languages ?? '');
    return languages.length === 0
      ? null
      : Object.fromEntries(languages.map((language) => [language, readWords(lines, language)]));
  },
};

function inputsOf(language: string, lines: FormLines): FormInput[] {
  const newLine = (part: Part, hint: string, problemIn: (text: string) => string | undefined) =>
    newInput({ name: lineName(part, language), label: `${labels[part]} ${language}`, hint, problemIn });
  return [
    newLine('message', `the message in that language`, messageProblem(lines)),
    newLine('link', 'the same link', (text) => problemOf(parseLink(text))),
    newLine('linkLabel', 'the same words of the link', (text) => problemOf(parseLinkLabel(text))),
  ];
}

function readWords(lines: FormLines, language: string): object {
  const textOf = (part: Part) => (lines[lineName(part, language)] ?? '').trim();
  const [link, linkLabel] = [textOf('link'), textOf('linkLabel')];
  return {
    [isFormatted(lines) ? 'markdown' : 'message']: textOf('message'),
    ...(link === '' ? {} : { link }),
    ...(linkLabel === '' ? {} : { linkLabel }),
  };
}

function languagesProblem(line: string): string | undefined {
  const entries = entriesOf(line);
  if (entries.length > maxTranslations)
    return `${entries.length} languages are too many; at most ${maxTranslations} are allowed`;
  return entries.map((entry) => problemOf(parseLanguageTag(entry))).find((problem) => problem !== undefined);
}
