import type { PublicAnnouncement } from '../../../announcements/announcement.ts';
import { presentation } from '../../../announcements/presentation.ts';
import { parseLink } from '../../../announcements/values/link.ts';
import type { Mark, TextPart } from '../../../announcements/values/markdown.ts';
import { html, type Markup } from './html.ts';

/** A stored link, checked for use in a page or feed; '' if there is none or it is not a valid link. */
export function hrefOf(stored: string): string {
  const checked = parseLink(stored);
  return 'value' in checked ? checked.value : '';
}

const elements: { readonly [M in Mark]: (text: string) => Markup } = {
  strong: (text) => html`<strong>${text}</strong>`,
  em: (text) => html`<em>${text}</em>`,
  code: (text) => html`<code>${text}</code>`,
};

/** The message with its formatting, one element per part. */
export function formatted(parts: readonly TextPart[]): Markup {
  return html`${parts.map(({ text, mark, link }) => {
    if (link !== undefined) return html`<a href="${link}" rel="noopener">${text}</a>`;
    return mark === undefined ? html`${text}` : elements[mark](text);
  })}`;
}

/**
 * The announcement as one element without style or script, for sites that fetch a fragment and put it into
 * their pages; empty if there is none.
 */
export function createFragment(announcement: PublicAnnouncement | undefined): string {
  if (announcement === undefined) return '';
  const { id, severity = 'info' } = announcement;
  const shown = presentation(announcement);
  const href = hrefOf(shown.link);
  const anchor = (text: Markup | string) => html`<a href="${href}" rel="noopener">${text}</a>`;
  const words = formatted(shown.parts);
  const label = shown.severityLabel === undefined ? '' : html`<strong>${shown.severityLabel}:</strong> `;
  const content =
    href === ''
      ? words
      : shown.linkLabel === undefined
        ? anchor(words)
        : html`${words} ${anchor(shown.linkLabel)}`;
  return html`<div class="typebadge-banner typebadge-${severity}" data-id="${id}" dir="auto">${label}${content}</div>`.toString();
}
