import type { PublicHistory, PublicHistoryEntry } from '../../../announcements/announcement.ts';
import { nearestLanguage, translated } from '../../../announcements/values/translations.ts';
import { html, type Markup } from './html.ts';
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
export function atomFeedText({ brand, baseUrl, history, language }: FeedOptions): string {
  const self = feedUrl(`${baseUrl}/feed.atom`, language);
  const feed = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${titleOf(brand)}</title>
<updated>${history.lastUpdated}</updated>
<author><name>${brand}</name></author>
<icon>${baseUrl}/images/${brand}-logo.svg</icon>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${baseUrl}/history"/>
${newest(history, language).map((entry) => atomEntry(entry, baseUrl))}</feed>
`;
  return feed.toString();
}

function atomEntry(entry: PublicHistoryEntry, baseUrl: string): Markup {
  const message = xmlText(entry.message);
  const content =
    entry.markdown === undefined
      ? html`<content>${message}</content>`
      : html`<content type="html">${xmlText(formatted(entry).toString())}</content>`;
  return html`<entry>
<id>${entryId(entry, baseUrl)}</id>
<title>${message}</title>
<published>${entry.published}</published>
<updated>${entry.published}</updated>
<link rel="alternate" href="${entryLink(entry, baseUrl)}"/>
${content}
</entry>
`;
}

/** The announcements as a JSON Feed 1.1 (jsonfeed.org). */
export function jsonFeedText({ brand, baseUrl, history, language }: FeedOptions): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: titleOf(brand),
    home_page_url: `${baseUrl}/history`,
    feed_url: feedUrl(`${baseUrl}/feed.json`, language),
    icon: `${baseUrl}/images/${brand}-logo.svg`,
    authors: [{ name: brand }],
    items: newest(history, language).map((entry) => ({
      id: entryId(entry, baseUrl),
      url: entryLink(entry, baseUrl),
      content_text: entry.message,
      ...(entry.markdown === undefined ? {} : { content_html: formatted(entry).toString() }),
      date_published: entry.published,
    })),
  });
}

function newest(
  { announcements }: PublicHistory,
  language: string | undefined,
): readonly PublicHistoryEntry[] {
  const entries = announcements.slice(0, newestOnly);
  if (language === undefined) return entries;
  return entries.map((entry) => {
    const { translations = {} } = entry;
    const nearest = nearestLanguage(Object.keys(translations), language);
    return translated(entry, nearest === undefined ? undefined : translations[nearest]);
  });
}

/** The languages that a feed of these announcements is available in. */
export function feedLanguages({ announcements }: PublicHistory): readonly string[] {
  return announcements.slice(0, newestOnly).flatMap(({ translations = {} }) => Object.keys(translations));
}

function feedUrl(url: string, language: string | undefined): string {
  return language === undefined ? url : `${url}?lang=${language}`;
}

function titleOf(brand: string): string {
  return `Announcements of ${brand}`;
}

/** The entry's anchor on the history page: stable as long as the server keeps its URL. */
function entryId({ id }: PublicHistoryEntry, baseUrl: string): string {
  return `${baseUrl}/history#${encodeURIComponent(id)}`;
}

function entryLink(entry: PublicHistoryEntry, baseUrl: string): string {
  return hrefOf(entry.link) || entryId(entry, baseUrl);
}

/** XML 1.0 does not allow these characters, not even escaped. */
function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
