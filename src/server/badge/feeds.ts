import html, { type HtmlSafeString } from 'escape-html-template-tag';
import type { PublicHistory, PublicHistoryEntry } from './announcement.ts';
import { toHref } from './href.ts';

export interface FeedOptions {
  readonly brand: string;
  /** Where this server is reached, without a trailing slash: feeds need whole addresses. */
  readonly baseUrl: string;
  readonly history: PublicHistory;
}

const newestOnly = 50;

/** The announcements as an Atom 1.0 feed (RFC 4287). */
export function toAtomFeed({ brand, baseUrl, history }: FeedOptions): string {
  const feed = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${baseUrl}/feed.atom</id>
<title>${toTitle(brand)}</title>
<updated>${history.lastUpdated}</updated>
<author><name>${brand}</name></author>
<icon>${baseUrl}/images/${brand}-logo.svg</icon>
<link rel="self" type="application/atom+xml" href="${baseUrl}/feed.atom"/>
<link rel="alternate" type="text/html" href="${baseUrl}/history"/>
${newest(history).map((entry) => toAtomEntry(entry, baseUrl))}</feed>
`;
  return feed.toString();
}

function toAtomEntry(entry: PublicHistoryEntry, baseUrl: string): HtmlSafeString {
  const message = toXmlText(entry.message);
  return html`<entry>
<id>${toEntryId(entry, baseUrl)}</id>
<title>${message}</title>
<published>${entry.published}</published>
<updated>${entry.published}</updated>
<link rel="alternate" href="${toEntryLink(entry, baseUrl)}"/>
<content>${message}</content>
</entry>
`;
}

/** The announcements as a JSON Feed 1.1 (jsonfeed.org). */
export function toJsonFeed({ brand, baseUrl, history }: FeedOptions): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: toTitle(brand),
    home_page_url: `${baseUrl}/history`,
    feed_url: `${baseUrl}/feed.json`,
    icon: `${baseUrl}/images/${brand}-logo.svg`,
    authors: [{ name: brand }],
    items: newest(history).map((entry) => ({
      id: toEntryId(entry, baseUrl),
      url: toEntryLink(entry, baseUrl),
      content_text: entry.message,
      date_published: entry.published,
    })),
  });
}

function newest({ announcements }: PublicHistory): readonly PublicHistoryEntry[] {
  return announcements.slice(0, newestOnly);
}

function toTitle(brand: string): string {
  return `Announcements of ${brand}`;
}

/** The entry's own place on the history page: it stays the same for as long as the server has its address. */
function toEntryId({ id }: PublicHistoryEntry, baseUrl: string): string {
  return `${baseUrl}/history#${encodeURIComponent(id)}`;
}

function toEntryLink(entry: PublicHistoryEntry, baseUrl: string): string {
  return toHref(entry.link) || toEntryId(entry, baseUrl);
}

/** XML 1.0 has no place for these characters, not even escaped. */
function toXmlText(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
