/*
 * The inline formatting of a message: `**strong**`, `*emphasis*`, `` `code` `` and `[words](https://…)`. Everything else, nested
 * and unbalanced marks included, is ordinary text. Pages, feeds and the badge make elements of the parts; nobody parses HTML.
 */

/** A piece of a message as it is drawn. */
export interface MarkdownPart {
  readonly kind: 'text' | 'strong' | 'em' | 'code' | 'a';
  readonly text: string;
  /** Only of a link: an absolute http(s) URL. */
  readonly href?: string | undefined;
}

/** The marks must touch their words, so that "2 * 3 * 4" stays as it is. */
const marked =
  /(\*\*(?!\s).+?(?<!\s)\*\*|\*(?![\s*])[^*]+(?<!\s)\*|`[^`]+`|\[[^[\]]+\]\(https?:\/\/[^\s()<>"]+\))/;

/** The parts of a message, in order, none of them empty. */
export function parseMarkdown(source: string): MarkdownPart[] {
  return source.split(marked).flatMap((text, at): MarkdownPart[] => {
    // What is marked is at the odd places.
    const [, words, href = ''] = /^\[(.+)\]\((.+)\)$/.exec(at % 2 ? text : '') ?? [];
    if (words) return [URL.canParse(href) ? { kind: 'a', text: words, href } : { kind: 'text', text }];
    if (at % 2 && text[1] === '*') return [{ kind: 'strong', text: text.slice(2, -2) }];
    if (at % 2) return [{ kind: text[0] === '*' ? 'em' : 'code', text: text.slice(1, -1) }];
    return text ? [{ kind: 'text', text }] : [];
  });
}

/** The message without its marks, which is what the documented `message` holds. */
export function plainText(source: string): string {
  return parseMarkdown(source)
    .map(({ text }) => text)
    .join('');
}
