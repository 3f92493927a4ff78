/*
 * No library, because this is only twenty lines: escape-html-template-tag depends on caniuse-lite, a browser
 * database of 2.4 MB, and other template libraries bring more than we use. Works for XML too.
 */

export class Markup {
  constructor(private readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

type Value = string | number | Markup | readonly Value[];

/** A piece of a page. Escapes all values except markup and lists of it. Attribute values must be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...values.map(escaped)));
}

/** Declares trusted text, such as a built stylesheet, to be markup. */
export function safe(text: string): Markup {
  return new Markup(text);
}

function escaped(value: Value): string {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.map(escaped).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** XML 1.0 does not allow these characters, not even escaped. */
export function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
