import type { DeskAnnouncement } from '../../src/contract/desk-types.ts';
import { fieldOfInstant, instantOfField } from './times.ts';

/** The contents of the form; times in the format of `datetime-local` fields. */
export interface Typed {
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the messages are formatted. */
  readonly markdown: boolean;
  readonly dismissible: boolean;
  readonly alongside: boolean;
  readonly translations: readonly Readonly<Record<string, string>>[];
}

type Part = string | boolean | readonly string[] | Parts | null | undefined;
export interface Parts {
  readonly [name: string]: Part;
}

/** An empty form. */
export const nothingTyped: Typed = {
  fields: {},
  markdown: false,
  dismissible: true,
  alongside: false,
  translations: [],
};

export function typedOf(entry: DeskAnnouncement): Typed {
  const { id: _, state: __, expired: ___, withdrawn: ____, ...written } = entry;
  const { message, markdown, published, expires, dismissible, alongside, ...others } = written;
  const { translations = {}, audience, ...texts } = others;
  return {
    fields: {
      ...texts,
      ...{ message: markdown ?? message, at: fieldOfInstant(published), expires: fieldOfInstant(expires) },
      sites: audience?.sites?.join('\n') ?? '',
      paths: audience?.paths?.join('\n') ?? '',
    },
    markdown: [entry, ...Object.values(translations)].some((words) => words.markdown !== undefined),
    dismissible: entry.dismissible !== false,
    alongside: entry.alongside === true,
    translations: Object.entries(translations).map(([lang, { markdown: source, ...words }]) => ({
      lang,
      ...words,
      message: source ?? words.message,
    })),
  };
}

/** The announcement in the format of the API. Empty fields and defaults are undefined. */
export function requestOf({ fields, markdown, dismissible, alongside, translations }: Typed): Parts {
  const spelling = markdown ? 'markdown' : 'message';
  const text = (name: string) => fields[name]?.trim() || undefined;
  const lines = (name: string) => text(name)?.split(/\s*\n\s*/);
  // Most texts and choices have the same name in the form and in the API.
  const { message, at = '', expires = '', sites: _, paths: __, ...others } = fields;
  return {
    [spelling]: message?.trim().replace(/\s*\n\s*/g, ' '),
    ...Object.fromEntries(Object.keys(others).map((name) => [name, text(name)])),
    at: instantOfField(at),
    expires: instantOfField(expires),
    dismissible: dismissible ? undefined : false,
    alongside: alongside || undefined,
    translations: whole(
      Object.fromEntries(
        translations.map(({ lang = '', message, link, linkLabel }) => [
          lang.trim(),
          {
            [spelling]: message?.trim(),
            link: link?.trim() || undefined,
            linkLabel: linkLabel?.trim() || undefined,
          },
        ]),
      ),
    ),
    audience: whole({ sites: lines('sites'), paths: lines('paths') }),
  };
}

/** Undefined if nothing is in it. */
function whole(parts: Parts): Parts | undefined {
  return Object.values(parts).some((part) => part !== undefined) ? parts : undefined;
}

/** The merge patch (RFC 7396) from one to the other. */
export function patchOf(before: Parts, after: Parts): Record<string, Part> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .map((name) => [name, before[name], after[name]] as const)
      .filter(([, old, now]) => JSON.stringify(old) !== JSON.stringify(now))
      .map(([name, old, now]) => [
        name,
        isParts(now) ? patchOf(isParts(old) ? old : {}, now) : (now ?? null),
      ]),
  );
}

function isParts(part: Part): part is Parts {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

/** What the page calls what has another name in the API. */
const names: Readonly<Record<string, string>> = {
  at: 'start',
  published: 'start',
  expires: 'end',
  expire: 'end',
  markdown: 'message',
  linkLabel: 'link text',
  superseded: 'replaced',
  success: 'good news',
};

/** The words for an action, a state, a severity, or the place of a value, such as `translations de markdown`. */
export function nameOf(place: string): string {
  return place.replace(/\w+$/, (word) => names[word] ?? word);
}

/** Each value with the place where it is, such as `translations de message`. */
export function flat(parts: Parts, place = ''): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, part] of Object.entries(parts)) {
    if (part === undefined || part === null) continue;
    if (!isParts(part)) values.set(place + name, String(part));
    else for (const [inner, value] of flat(part, `${place}${name} `)) values.set(inner, value);
  }
  return values;
}
