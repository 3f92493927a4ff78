import type { PublicHistory, PublicHistoryEntry } from '../../../announcements/announcement.ts';
import { describeAudience } from '../../../announcements/values/audience.ts';
import { toHref } from './href.ts';
import { html, type Markup } from './html.ts';
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
<p class="lead">Newest first. Subscribe via ${feeds}.</p>
${
  announcements.length === 0
    ? html`<p class="empty">Nothing has been announced yet.</p>`
    : html`<p class="when">Last change: ${toTime(lastUpdated)}</p>
<ol>
${announcements.map(toItem)}</ol>`
}`;
  return createPage({ brand, title: 'Announcements', path: '/history', style, main });
}

function toItem(entry: PublicHistoryEntry): Markup {
  const { id, severity, translations = {}, audience, published, expires, active } = entry;
  const until = active ? html`, shown until ${toTime(expires)}` : '';
  return html`<li id="${id}"${active ? html` class="active"` : ''}>
<p class="message" dir="auto">${toWords(entry)}</p>
${Object.entries(translations).map(([language, words]) => toTranslation(language, { ...entry, ...words }))}<p class="when">${active ? html`<span class="mark">Active</span> ` : ''}${
    severity === undefined ? '' : html`<span class="mark ${severity}">${severityWords[severity]}</span> `
  }${toTime(published)}${until}</p>
${audience === undefined ? '' : html`<p class="when">For ${describeAudience(audience)}</p>`}</li>
`;
}

const severityWords = { info: 'Info', success: 'Success', warning: 'Warning', critical: 'Critical' } as const;

function toTranslation(language: string, entry: PublicHistoryEntry): Markup {
  return html`<p class="translation" lang="${language}" dir="auto">${toWords(entry)}</p>
`;
}

/** The link has words of its own, or it is the message. */
function toWords({ message, link, linkLabel }: PublicHistoryEntry): Markup | string {
  const href = toHref(link);
  if (href === '') return message;
  const toLink = (text: string) => html`<a href="${href}" rel="noopener">${text}</a>`;
  return linkLabel === undefined ? toLink(message) : html`${message} ${toLink(linkLabel)}`;
}

function toTime(instant: string): Markup {
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
