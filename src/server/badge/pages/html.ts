/*
 * Our own, since it is twenty lines: escape-html-template-tag brings caniuse-lite along, a database of browsers of 2.4 MB, and other
 * libraries for templates bring more than we use. Works for XML alike.
 */

/** Text that may go into a page as it is. */
export class Markup {
  constructor(private readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

type Value = string | number | Markup | readonly Value[];

/** A piece of a page; whatever is put into it is escaped, markup and lists of markup aside. Attributes need their quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...values.map(toText)));
}

/** Marks text of our own, such as a built stylesheet, as markup. */
export function safe(text: string): Markup {
  return new Markup(text);
}

function toText(value: Value): string {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(toText).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
