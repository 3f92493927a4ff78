import { type Presentation, presentation } from '../../../announcements/presentation.ts';
import type { PublicHistory, PublicHistoryEntry } from '../../../announcements/schedule.ts';
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
}

/** Past and present announcements, newest first, for people. */
export function createHistoryPage({ brand, style, script, history, now }: HistoryPageOptions): HtmlPage {
  const { announcements, lastUpdated } = history;
  const main = html`<h1>Announcements</h1>
<p class="lead">Newest first. Subscribe via <a href="feed.atom">Atom</a> or <a href="feed.json">JSON Feed</a>.</p>
${
  announcements.length === 0
    ? html`<p class="empty">Nothing has been announced yet.</p>`
    : html`<p class="when">Last change: ${timeOf(lastUpdated)}</p>
${byYear(announcements).map((entries) => yearList(entries, now))}`
}`;
  return createPage({ brand, title: 'Announcements', path: 'history', style, script, main });
}

/** Groups them by year of publishing, in UTC, without changing their order. */
function byYear(shown: readonly PublicHistoryEntry[]): PublicHistoryEntry[][] {
  const years = new Map<string, PublicHistoryEntry[]>();
  for (const entry of shown) {
    const year = entry.published.slice(0, 4);
    const entries = years.get(year);
    if (entries === undefined) years.set(year, [entry]);
    else entries.push(entry);
  }
  return [...years.values()];
}

function yearList(entries: readonly PublicHistoryEntry[], now: number): Markup {
  return html`<h2>${entries[0]?.published.slice(0, 4) ?? ''}</h2>
<ol>
${entries.map((entry) => itemOf(entry, now))}</ol>
`;
}

function itemOf(entry: PublicHistoryEntry, now: number): Markup {
  const { id, translations = {}, audience, published, active } = entry;
  const shown = presentation(entry);
  return html`<li id="${id}"${active ? html` class="active"` : ''}>
<div dir="auto"><p class="message">${formatted(shown.parts)}</p>
${linkOf(shown)}</div>
${Object.keys(translations).map((language) => translationOf(language, presentation(entry, language), shown))}<p class="when">${active ? html`<span class="mark">Active</span> ` : ''}${
    shown.severity === undefined
      ? ''
      : html`<span class="mark ${shown.severity}">${shown.severityLabel ?? ''}</span> `
  }${timeOf(published)}${endText(entry, now)}</p>
${audience === undefined ? '' : html`<p class="when">For ${describeAudience(audience)}</p>`}</li>
`;
}

function endText({ active, expires }: PublicHistoryEntry, now: number): Markup | string {
  if (active) return html`, until ${timeOf(expires)}`;
  return Date.parse(expires) > now ? ', replaced by a later one' : html`, ended ${timeOf(expires)}`;
}

/** A translation, with its link if that is another than the announcement's. */
function translationOf(language: string, shown: Presentation, original: Presentation): Markup {
  const isSame = shown.link === original.link && shown.linkLabel === original.linkLabel;
  return html`<div class="translation" lang="${language}" dir="auto"><p><bdi class="when">${language}</bdi> ${formatted(shown.parts)}</p>
${isSame ? '' : linkOf(shown)}</div>
`;
}

/** The link, after the text: with its label, or with the host that it leads to. */
function linkOf({ link, linkLabel }: Presentation): Markup | string {
  const href = hrefOf(link);
  if (href === '') return '';
  return html`<p class="link"><a href="${href}" rel="noopener">${linkLabel ?? new URL(href).host}</a></p>
`;
}

/** `3 May 2026`, in UTC, until the page's script replaces it. Intl would make the start 10 % slower. */
function timeOf(instant: string): Markup {
  const date = new Date(instant);
  const text = `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return html`<time datetime="${instant}">${text}</time>`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
