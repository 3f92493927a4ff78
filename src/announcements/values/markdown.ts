import type { Parsed } from './field.ts';
import { parseLink } from './link.ts';
import { parseLine, parseMessage } from './message.ts';

/*
 * Inline formatting: **strong**, *emphasis*, `code` and [words](https://…). Nothing is nested, and there is
 * no escaping: all other marks are ordinary characters. What is drawn is always made of these parts, one
 * element each; no HTML is ever parsed.
 */

export const marks = ['strong', 'em', 'code'] as const;
export type Mark = (typeof marks)[number];

/** A piece of a message. `mark` is the name of its HTML element; `link` obeys the rules of links. */
export interface TextPart {
  readonly text: string;
  readonly mark?: Mark;
  readonly link?: string;
}

/** The words of an announcement or translation: plain `message`, and its source `markdown` if formatted. */
export interface Words {
  readonly message: string;
  readonly markdown?: string;
}

/** In code points, with all marks and addresses. */
const maxMarkdown = 4_096;

// Every alternative ends at the next mark of its kind, so that matching takes linear time.
const marked = new RegExp(
  [
    /\*\*(?![\s*])(?<strong>(?:(?!\*\*).)+)(?<![\s*])\*\*/,
    /(?<!\*)\*(?![\s*])(?<em>[^*]+)(?<!\s)\*(?!\*)/,
    /`(?!\s)(?<code>[^`]+)(?<!\s)`/,
    // An address may hold one pair of parentheses, as many of Wikipedia's do.
    /\[(?!\s)(?<words>[^[\]]+)(?<!\s)\]\((?<address>(?:[^\s()]|\([^\s()]*\))+)\)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/** The parts of a formatted text, in order. A link that breaks the rules of links is ordinary text. */
export function formattedParts(markdown: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  const add = (part: TextPart) => {
    const last = parts.at(-1);
    const isPlain = part.mark === undefined && part.link === undefined;
    if (isPlain && last !== undefined && last.mark === undefined && last.link === undefined)
      parts.splice(-1, 1, { text: last.text + part.text });
    else if (part.text !== '') parts.push(part);
  };
  let end = 0;
  for (const { 0: source, index, groups = {} } of markdown.matchAll(marked)) {
    add({ text: markdown.slice(end, index) });
    add(partOf(source, groups));
    end = index + source.length;
  }
  add({ text: markdown.slice(end) });
  return parts;
}

function partOf(source: string, groups: Readonly<Record<string, string | undefined>>): TextPart {
  const { words, address } = groups;
  const mark = marks.find((name) => groups[name] !== undefined);
  if (mark !== undefined) return { text: groups[mark] as string, mark };
  const checked = parseLink(address as string);
  return 'value' in checked ? { text: words as string, link: checked.value } : { text: source };
}

/** The parts that words are drawn with, wherever they are drawn; plain words are one part. */
export function partsOf({
  message,
  markdown,
}: {
  readonly message: string;
  readonly markdown?: string | null | undefined;
}): readonly TextPart[] {
  return markdown == null ? [{ text: message }] : formattedParts(markdown);
}

/** The words as plain text: what lists, pictures and titles show. */
export function textOf(words: Parameters<typeof partsOf>[0]): string {
  return partsOf(words)
    .map(({ text }) => text)
    .join('');
}

/** What remains of a formatted text without its marks: the `message` that belongs to it. */
export function plainText(markdown: string): string {
  return textOf({ message: '', markdown });
}

/** Trims and checks a formatted text: its plain text as a message, its links as links. */
export function parseMarkdown(given: unknown): Parsed<string> {
  if (typeof given !== 'string') return { problem: 'markdown is not a text' };
  const line = parseLine(given, { name: 'message', max: maxMarkdown });
  if ('problem' in line) return line;
  for (const { groups: { words = '', address } = {} } of line.value.matchAll(marked)) {
    const link = address === undefined ? undefined : parseLink(address);
    if (link !== undefined && 'problem' in link)
      return {
        problem: link.problem.replace('the link', () => `the link of ${JSON.stringify(words.slice(0, 40))}`),
      };
  }
  const message = parseMessage(plainText(line.value));
  if ('problem' in message) return message;
  return { value: line.value, warnings: [...(message.warnings ?? []), ...markWarnings(line.value)] };
}

// After a scheme, whatever it is; else labels with dots between them, but not of a mail address or a file.
const fileEnding = String.raw`(?:[jt]s|py|rs|md|sh|json|html|toml|ya?ml|txt)\b`;
const hosts = new RegExp(
  String.raw`(?<=:\/\/)[^\s\/?#]+|(?<![\p{L}\d.@\-])(?:[\p{L}\d\-]+\.)+(?!${fileEnding})\p{L}[\p{L}\d\-]+`,
  'gu',
);

/** @param name such as `message for de` */
export function markWarnings(markdown: string, name = 'message'): string[] {
  const parts = formattedParts(markdown);
  const warnings = parts.flatMap(({ text, link }) => {
    if (link === undefined) return [];
    const { hostname } = new URL(link);
    const isOther = text.match(hosts)?.some((host) => plainHost(host) !== plainHost(hostname));
    return isOther
      ? `the ${name} has a link that reads “${text}” but leads to another host, ${hostname}`
      : [];
  });
  if (parts.some(({ text, mark }) => mark !== 'code' && /\*\*|\]\(/.test(text)))
    warnings.push(`readers of the ${name} will see marks such as ** and [..](..) as they are`);
  return warnings;
}

/** As browsers spell it, without a port and `www.`. */
function plainHost(host: string): string {
  const url = `https://${host}`;
  return (URL.canParse(url) ? new URL(url).hostname : host).replace(/^www\./, '');
}

/** Checks words written as `message`, as `markdown`, or as both if they agree; `at` names the wrong one. */
export function parseWords(
  { message, markdown }: { readonly message?: unknown; readonly markdown?: unknown },
  missing = 'the message is missing',
): Parsed<Words> {
  if (markdown == null) {
    const plain = typeof message === 'string' ? parseMessage(message) : { problem: missing };
    return 'problem' in plain ? { ...plain, at: 'message' } : { ...plain, value: { message: plain.value } };
  }
  const source = parseMarkdown(markdown);
  if ('problem' in source) return { ...source, at: 'markdown' };
  const value = { message: plainText(source.value), markdown: source.value };
  const problem =
    typeof message === 'string' ? spellingProblem({ ...value, message: message.trim() }) : undefined;
  return problem === undefined ? { ...source, value } : { problem, at: 'message' };
}

/** In a patch, one spelling replaces the other: an edit of `message` removes the formatting. */
export function withOneSpelling<T extends { readonly message?: unknown; readonly markdown?: unknown }>(
  words: T,
): T {
  const { message, markdown } = words;
  if (typeof markdown === 'string' && message === undefined) return { ...words, message: null };
  return typeof message === 'string' && markdown === undefined ? { ...words, markdown: null } : words;
}

/** Why `message` and `markdown` cannot both be right; undefined if they say the same. */
export function spellingProblem({ message, markdown }: Words): string | undefined {
  if (markdown === undefined || plainText(markdown) === message) return undefined;
  return 'the message is not the text of markdown; leave it out, and it follows from markdown';
}
