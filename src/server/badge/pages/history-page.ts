import type { PublicHistory, PublicHistoryEntry } from '../../../announcements/announcement.ts';
import { type Presentation, presentation } from '../../../announcements/presentation.ts';
import { describeAudience } from '../../../announcements/values/audience.ts';
import { html, type Markup } from './html.ts';
import { createPage, type HtmlPage } from './page.ts';
import { formatted, hrefOf } from './words.ts';

export interface HistoryPageOptions {
  readonly brand: string;
  readonly style: string;
  readonly script: string;
  readonly history: PublicHistory;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Counted from 1. Default: 1. */
  readonly number?: number;
}

/** Announcements on a page: as many as in a feed, so that the first page shows all entries of the feed. */
const perPage = 50;

/** Number of pages of a history; an empty one has one. */
export function countHistoryPages({ announcements }: PublicHistory): number {
  return Math.max(1, Math.ceil(announcements.length / perPage));
}

/** One page of past and present announcements, newest first, for people. */
export function createHistoryPage({ number = 1, ...options }: HistoryPageOptions): HtmlPage {
  const { brand, style, script, history, now } = options;
  const shown = history.announcements.slice((number - 1) * perPage, number * perPage);
  const main = html`<h1>Announcements</h1>
<p class="lead">Newest first. Subscribe via <a href="feed.atom">Atom</a> or <a href="feed.json">JSON Feed</a>.</p>
${
  shown.length === 0
    ? html`<p class="empty">Nothing has been announced yet.</p>`
    : html`<p class="when">Last change: ${timeOf(history.lastUpdated)}</p>
${byYear(shown).map((entries) => yearList(entries, now))}${pagerOf(number, countHistoryPages(history))}`
}`;
  return createPage({ brand, title: 'Announcements', path: 'history', style, script, main });
}

/** Groups them by year of publishing, in UTC, without changing their order. */
function byYear(shown: readonly PublicHistoryEntry[]): PublicHistoryEntry[][] {
  const years = new Map<string, PublicHistoryEntry[]>();
  for (const entry of shown) {
    const year = entry.published.slice(0, 4);
    years.set(year, [...(years.get(year) ?? []), entry]);
  }
  return [...years.values()];
}

function yearList(entries: readonly PublicHistoryEntry[], now: number): Markup {
  return html`<h2>${entries[0]?.published.slice(0, 4) ?? ''}</h2>
<ol>
${entries.map((entry) => itemOf(entry, now))}</ol>
`;
}

function pagerOf(number: number, count: number): Markup | string {
  if (count === 1) return '';
  const pageHref = (page: number) => (page === 1 ? 'history' : `history?page=${page}`);
  const newer = number > 1 ? html`<a href="${pageHref(number - 1)}" rel="prev">Newer</a>` : '';
  const older = number < count ? html`<a href="${pageHref(number + 1)}" rel="next">Older</a>` : '';
  return html`<nav class="pager" aria-label="Pages of announcements">${newer} <span>Page ${number} of ${count}</span> ${older}</nav>
`;
}

function itemOf(entry: PublicHistoryEntry, now: number): Markup {
  const { id, translations = {}, audience, published, active } = entry;
  const shown = presentation(entry);
  return html`<li id="${id}"${active ? html` class="active"` : ''}>
<p class="message" dir="auto">${formatted(shown)}</p>
${linkOf(shown)}${Object.keys(translations).map((language) => translationOf(language, presentation(entry, language)))}<p class="when">${active ? html`<span class="mark">Active</span> ` : ''}${
    shown.severity === undefined
      ? ''
      : html`<span class="mark ${shown.severity}">${shown.severityLabel ?? ''}</span> `
  }${timeOf(published)}${endText(entry, now)}</p>
${audience === undefined ? '' : html`<p class="when">For ${describeAudience(audience)}</p>`}</li>
`;
}

/** When an active one ends, or how a past one ended. */
function endText({ active, expires }: PublicHistoryEntry, now: number): Markup | string {
  if (active) return html`, until ${timeOf(expires)}`;
  return Date.parse(expires) > now ? ', replaced by a later one' : html`, ended ${timeOf(expires)}`;
}

function translationOf(language: string, shown: Presentation): Markup {
  return html`<div class="translation" lang="${language}"><p dir="auto">${formatted(shown)}</p>
${linkOf(shown)}</div>
`;
}

/** The link, after the text: with its label, or with the host that it leads to. */
function linkOf({ link, linkLabel }: Presentation): Markup | string {
  const href = hrefOf(link);
  if (href === '') return '';
  return html`<p class="link" dir="auto"><a href="${href}" rel="noopener">${linkLabel ?? new URL(href).host}</a></p>
`;
}

/** `3 May 2026`, in UTC, until the page's script replaces it. Intl would make the start 10 % slower. */
function timeOf(instant: string): Markup {
  const date = new Date(instant);
  const text = `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return html`<time datetime="${instant}">${text}</time>`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
