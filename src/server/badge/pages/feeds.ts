import { presentation } from '../../../announcements/presentation.ts';
import type { PublicHistory } from '../../../announcements/schedule.ts';
import { textOf } from '../../../announcements/values/markdown.ts';
import { nearestLanguage } from '../../../announcements/values/translations.ts';
import { html, type Markup, xmlText } from './html.ts';
import { formatted, hrefOf } from './words.ts';

export interface FeedOptions {
  readonly brand: string;
  /** Public URL of this server, without a trailing slash: feeds need absolute URLs. */
  readonly baseUrl: string;
  readonly history: PublicHistory;
  /** Language of the announcements that have a translation into it. Default: untranslated. */
  readonly language?: string | undefined;
}

const newestOnly = 50;

/** The announcements as an Atom 1.0 feed (RFC 4287). */
export function atomFeedText(options: FeedOptions): string {
  const { self, title, page, icon, items } = feedOf('feed.atom', options);
  const { brand, history } = options;
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${title}</title>
<updated>${history.lastUpdated}</updated>
<author><name>${brand}</name></author>
<icon>${icon}</icon>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${page}"/>
${items.map(atomEntry)}</feed>
`.toString();
}

function atomEntry({ id, url, message, formatted, published }: FeedItem): Markup {
  const content =
    formatted === undefined
      ? html`<content>${xmlText(message)}</content>`
      : html`<content type="html">${xmlText(formatted)}</content>`;
  return html`<entry>
<id>${id}</id>
<title>${xmlText(message)}</title>
<published>${published}</published>
<updated>${published}</updated>
<link rel="alternate" href="${url}"/>
${content}
</entry>
`;
}

/** The announcements as a JSON Feed 1.1 (jsonfeed.org). */
export function jsonFeedText(options: FeedOptions): string {
  const { self, title, page, icon, items } = feedOf('feed.json', options);
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    icon,
    authors: [{ name: options.brand }],
    items: items.map(({ id, url, message, formatted, published }) => ({
      id,
      url,
      content_text: message,
      ...(formatted === undefined ? {} : { content_html: formatted }),
      date_published: published,
    })),
  });
}

type FeedItem = ReturnType<typeof feedOf>['items'][number];

function feedOf(name: string, { brand, baseUrl, history, language }: FeedOptions) {
  const page = `${baseUrl}/history`;
  const items = history.announcements.slice(0, newestOnly).map((original) => {
    const { translations = {} } = original;
    const entry = presentation(original, language && nearestLanguage(Object.keys(translations), language));
    // The entry's anchor on the history page: stable as long as the server keeps its URL.
    const id = `${page}#${encodeURIComponent(entry.id)}`;
    const { published, markdown, parts } = entry;
    const url = hrefOf(entry.link) || id;
    const content = markdown && formatted(parts).toString();
    return { id, url, message: textOf(entry), published, formatted: content };
  });
  return {
    self: `${baseUrl}/${name}${language === undefined ? '' : `?lang=${language}`}`,
    title: `Announcements of ${brand}`,
    page,
    icon: `${baseUrl}/images/${brand}-logo.svg`,
    items,
  };
}

export function feedLanguages({ announcements }: PublicHistory): readonly string[] {
  return announcements.slice(0, newestOnly).flatMap(({ translations = {} }) => Object.keys(translations));
}
