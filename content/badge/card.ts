import type { Announcement } from './announcement.ts';
import type { BadgeOptions, Source } from './options.ts';
import { createParts } from './parts.ts';

/**
 * What the reader sees of the badge. Nothing is loaded before `attach`, and nothing is seen before `show`, which
 * has to wait for it: nobody sees it unstyled.
 */
export function createCard({ base, brand }: Source, options: BadgeOptions) {
  const label = options.label || 'Announcement';
  const { host, root, style, logo, message, severity, lead, text, toggle, dismiss } = createParts(
    label,
    options,
  );
  const veil = new CSSStyleSheet(); // constructed, because a strict policy forbids style attributes
  let cameFrom: HTMLElement | null = null;

  const giveFocusBack = () => {
    if (root.activeElement) cameFrom?.focus({ preventScroll: true });
  };
  const hide = () => {
    giveFocusBack();
    host.dataset.state = 'hidden';
    root.adoptedStyleSheets = [veil];
  };
  const styled = new Promise((resolve) => {
    style.onload = resolve;
    style.onerror = () => console.debug('typebadge: no stylesheet');
  });

  veil.replaceSync(':host{display:none!important}');
  hide();
  style.rel = 'stylesheet';
  style.href = `${base}css/${brand}-inject.min.css`;
  // A page may forbid images, or the server lose this one: the badge then says its name.
  logo.onerror = () => logo.replaceWith(brand);
  // Focus moving about inside never gets here, because seen from outside it stays on the host.
  host.addEventListener('focusin', ({ relatedTarget }) => {
    cameFrom = (relatedTarget as HTMLElement | null) ?? cameFrom;
  });

  return {
    host,
    text,
    toggle,
    dismiss,
    hide,

    /** Puts the badge, still invisible, into the page; resolves once it could be shown. */
    attach(): Promise<unknown> {
      logo.src ||= `${base}images/${brand}-logo.svg`;
      // Beside the body, not in it: page swaps replace the body, and `body > :last-child` stays what it was.
      if (!host.isConnected) document.documentElement.append(host);
      return styled;
    },

    /** A text node and a parsed URL: the server's words are never markup. */
    write(
      { message: words, href, linkLabel, lang, severity: level, isFixed }: Announcement,
      isNew: boolean,
    ): void {
      host.dataset.severity = level;
      // Read out once; critical news interrupts.
      message.ariaLive = isNew ? (level === 'critical' ? 'assertive' : 'polite') : 'off';
      message.lang = lang;
      severity.textContent = options[level as 'warning'] || level; // colour is not all that tells
      lead.textContent = linkLabel && words;
      text.textContent = linkLabel || words;
      text.href = href;
      if (!href) text.removeAttribute('href'); // as long as it has none, it is text and no link
      if (isFixed && root.activeElement === dismiss) toggle.focus();
      dismiss.hidden = isFixed;
    },

    show(state: 'open' | 'collapsed' | 'brand', isNew: boolean): void {
      if (state === 'brand') giveFocusBack(); // it has no controls
      host.dataset.state = state;
      host.toggleAttribute('data-new', isNew);
      toggle.ariaExpanded = `${state === 'open'}`;
      toggle.ariaLabel = isNew ? `${label} (${options.labelNew || 'new'})` : label;
      logo.alt = state === 'brand' ? brand : '';
      root.adoptedStyleSheets = [];
      // A long message scrolls. With a link in it the keyboard gets there; without, it needs a stop of its own.
      if (!text.href && message.scrollHeight > message.clientHeight) message.tabIndex = 0;
    },
  };
}
