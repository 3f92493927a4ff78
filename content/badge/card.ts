import type { Announcement } from './announcement.ts';
import type { BadgeOptions, Source } from './options.ts';
import { createParts } from './parts.ts';

/**
 * What the reader sees of the badge. Nothing is loaded before `attach`, and nothing is seen before `show`, which
 * has to wait for it: nobody sees it unstyled.
 */
export function createCard({ base, brand }: Source, options: BadgeOptions) {
  const label = options.label || 'Announcement';
  const [host, root, style, frame, logo, message, words, severity, lead, text, more, toggle, dismiss] =
    createParts(label, options);
  let cameFrom: HTMLElement | null = null;

  const giveFocusBack = () => {
    if (root.activeElement) cameFrom?.focus({ preventScroll: true });
  };
  const hide = () => {
    giveFocusBack();
    host.dataset.state = 'hidden';
    frame.remove();
  };
  const styled = new Promise((resolve) => {
    style.onload = resolve;
    style.onerror = () => console.debug('typebadge: no stylesheet');
  });
  const offerMore = () => {
    more.hidden = words.scrollHeight - words.clientHeight < 9; // less is no line, but the room around a link
  };

  hide();
  style.rel = 'stylesheet';
  style.href = `${base}css/${brand}-inject.min.css`;
  // A page may forbid images, or the server lose this one: the badge then says its name.
  logo.onerror = () => logo.replaceWith(brand);
  // Focus moving about inside never gets here, because seen from outside it stays on the host.
  host.addEventListener('focusin', ({ relatedTarget }) => {
    cameFrom = (relatedTarget as HTMLElement | null) ?? cameFrom;
  });
  // What is too long for its lines is unfolded, to be scrolled by mouse, finger and keyboard.
  more.onclick = () => {
    message.tabIndex = 0;
    message.focus();
  };
  new ResizeObserver(offerMore).observe(words);

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

    /** Text nodes and a checked address: the server's words are never markup. */
    write(news: Announcement, isAnnounced: boolean): void {
      const { message: said = '', link = '', severity: level = '', dismissible } = news;
      const isLink = /^https?:\/\//i.test(link) && URL.canParse(link);
      const linkWords = isLink && news.linkLabel;
      frame.className = level;
      // Read out once; critical news interrupts.
      words.role = isAnnounced ? (level === 'critical' ? 'alert' : 'status') : null;
      message.lang = news.lang;
      // Colour is not the only sign.
      severity.textContent = options[level as 'warning'] || news.severityLabel || level;
      text.textContent = linkWords || said;
      lead.textContent = linkWords ? said : '';
      if (isLink) text.href = link;
      else text.removeAttribute('href'); // as long as it has none, it is text and no link
      if (dismissible === false && root.activeElement === dismiss) toggle.focus();
      dismiss.hidden = dismissible === false;
      message.removeAttribute('tabindex');
    },

    show(state: 'open' | 'collapsed' | 'brand', isNew: boolean): void {
      if (state === 'brand') giveFocusBack(); // it has no controls
      host.dataset.state = state;
      host.toggleAttribute('data-new', isNew);
      toggle.ariaExpanded = `${state === 'open'}`;
      toggle.ariaLabel = isNew ? `${label} (${options.labelNew || 'new'})` : label;
      logo.alt = state === 'brand' ? brand : '';
      if (!frame.isConnected) root.append(frame);
      offerMore();
    },
  };
}
