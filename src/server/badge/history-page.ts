import html, { type HtmlSafeString } from 'escape-html-template-tag';
import type { PublicHistory, PublicHistoryEntry } from './announcement.ts';
import { toHref } from './href.ts';
import { createPage, type Page } from './page.ts';

export interface HistoryPageOptions {
  readonly brand: string;
  readonly style: string;
  readonly history: PublicHistory;
}

/** The announcements so far, newest first, for people. */
export function createHistoryPage({ brand, style, history }: HistoryPageOptions): Page {
  const { announcements, lastUpdated } = history;
  const feeds = html`<a href="/feed.atom">Atom</a> or <a href="/feed.json">JSON Feed</a>`;
  const main = html`<h1>Announcements</h1>
<p class="lead">Newest first. Follow them by ${feeds}.</p>
${
  announcements.length === 0
    ? html`<p class="empty">Nothing has been announced yet.</p>`
    : html`<p class="when">Last change: ${toTime(lastUpdated)}</p>
<ol>
${announcements.map(toItem)}</ol>`
}`;
  return createPage({ brand, title: 'Announcements', path: '/history', style, main });
}

function toItem({ id, message, link, published, expires, active }: PublicHistoryEntry): HtmlSafeString {
  const href = toHref(link);
  const text = href === '' ? message : html`<a href="${href}" rel="noopener">${message}</a>`;
  const until = active ? html`, shown until ${toTime(expires)}` : '';
  return html`<li id="${id}"${active ? html` class="active"` : ''}>
<p class="message" dir="auto">${text}</p>
<p class="when">${active ? html`<span class="mark">Active</span> ` : ''}${toTime(published)}${until}</p>
</li>
`;
}

function toTime(instant: string): HtmlSafeString {
  const date = new Date(instant);
  const text = Number.isNaN(date.getTime()) ? instant : inWords(date);
  return html`<time datetime="${instant}">${text}</time>`;
}

/** As in `3 May 2026 at 09:30 UTC`. Not by Intl: to load its data takes a tenth of the server's start. */
function inWords(date: Date): string {
  const time = date.toISOString().slice(-13, -8);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} at ${time} UTC`;
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
