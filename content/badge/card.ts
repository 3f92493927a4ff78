import { type Announcement, isAddress } from './announcement.ts';
import type { BadgeOptions, Source } from './options.ts';
import { createParts } from './parts.ts';

/**
 * The visible badge. Nothing is loaded before `add`, and nothing is visible before `show`, which has to
 * wait for it: nobody sees it unstyled.
 */
export function createCard({ base, brand }: Source, options: Required<BadgeOptions>) {
  const [host, root, frame, logo, message, words, severity, lead, text, links, more, toggle, dismiss] =
    createParts(options);
  const { documentElement: page } = document;
  const sheet = new CSSStyleSheet();
  let fetched: Promise<string> | undefined;
  let cameFrom: HTMLElement | null = null;
  let isInFlow = false;

  /** After the page has loaded. The stylesheet as text: constructed, it needs no permission of the page, and can be stored. */
  const css = () => {
    page.style.overflowAnchor = '';
    fetched ??= fetch(`${base}css/${brand}-inject.min.css`, { credentials: 'omit' }).then(async (reply) =>
      // Relative addresses would be the page's.
      reply.ok ? (await reply.text()).replaceAll('../', base) : Promise.reject(reply.status),
    );
    return fetched;
  };
  const giveFocusBack = () => {
    if (root.activeElement) cameFrom?.focus({ preventScroll: true });
  };
  const remove = () => {
    giveFocusBack();
    host.dataset.state = 'hidden';
    if (!isInFlow) frame.remove(); // else its space stays, because nothing may move while somebody reads
  };
  const height = () => frame.getBoundingClientRect().height;
  const giveRoom = (room: string) => page.style.setProperty('--typebadge-height', room);
  const measure = () => {
    // Less is no line, but the room around a link.
    links.hidden = more.hidden = words.scrollHeight - words.clientHeight < 9;
    // For headers of the page that are fixed to the top.
    if (options.position === 'top') giveRoom(`${height()}px`);
  };
  root.adoptedStyleSheets = [sheet];
  remove();
  logo.role = 'img';
  logo.ariaLabel = brand;
  logo.textContent = (brand[0] as string).toUpperCase();
  // Focus moving about inside never gets here, because seen from outside it stays on the host.
  host.addEventListener('focusin', ({ relatedTarget }) => {
    cameFrom = (relatedTarget as HTMLElement | null) ?? cameFrom;
  });
  // Unfolds a message that is too long, to be scrolled by mouse, finger and keyboard.
  more.onclick = () => {
    message.tabIndex = 0;
    message.focus();
  };
  new ResizeObserver(measure).observe(words);

  return {
    host,
    message,
    toggle,
    dismiss,
    remove,
    css,

    /** Moves above the page's content, with the stylesheet of an earlier view. */
    join(kept: string): void {
      sheet.replaceSync(kept);
      // Until the page has loaded: a reload would scroll back to what was at the top before the bar was there.
      page.style.overflowAnchor = 'none';
      isInFlow = host.toggleAttribute('data-flow', true);
    },

    /** From now on it may come and go. */
    leave(): void {
      isInFlow = false;
      frame.style.marginBottom = '';
      giveRoom('');
    },

    /** Adds the badge, still invisible, to the page; resolves once it can be shown, else rejects. */
    async add(): Promise<void> {
      // Beside the body, not in it: page swaps replace the body, and `body > :last-child` stays what it was.
      if (isInFlow && !host.isConnected) page.insertBefore(host, document.body);
      if (!host.isConnected) page.append(host);
      if (!sheet.cssRules[0]) sheet.replaceSync(await css());
    },

    /** Text nodes and checked addresses: the server's words are never markup. */
    write(news: Announcement, isAnnounced: boolean): void {
      const { link, severity: level = '', dismissible } = news;
      const room = isInFlow && height();
      const isLink = isAddress(link);
      const linkWords = isLink && news.linkLabel;
      frame.className = level;
      // Read out once; critical news interrupts.
      words.role = isAnnounced ? (level === 'critical' ? 'alert' : 'status') : null;
      message.lang = news.lang;
      // Colour is not the only sign.
      severity.textContent = options[level as 'warning'] || news.severityLabel || level;
      lead.textContent = text.textContent = links.textContent = null;
      (linkWords ? lead : text).append(...news.pieces);
      // Beside a message, the link stays in view however long that is.
      if (linkWords) {
        words.after(text);
        text.textContent = linkWords;
      } else if (text.parentNode !== words) words.append(text); // moved, it would lose the focus
      for (const piece of news.pieces as HTMLAnchorElement[])
        if (piece.href) links.append(piece.cloneNode(true), ' ');
      text.dir = linkWords ? 'auto' : ''; // as the message itself, it inherits its direction
      if (isLink) text.href = link as string;
      else text.removeAttribute('href');
      if (dismissible === false && root.activeElement === dismiss) toggle.focus();
      dismiss.hidden = dismissible === false;
      message.removeAttribute('tabindex');
      // A longer message lies over what is below it, and a shorter one leaves a gap: nothing moves.
      if (room) frame.style.marginBottom = `${room - height()}px`;
    },

    show(state: 'open' | 'collapsed' | 'brand', isNew: boolean): void {
      if (state === 'brand') giveFocusBack(); // it has no controls
      host.dataset.state = state;
      host.toggleAttribute('data-new', isNew);
      toggle.ariaExpanded = (state === 'open') as never;
      toggle.ariaLabel = isNew ? `${options.label} (${options.labelNew})` : options.label;
      logo.ariaHidden = (state !== 'brand') as never;
      if (!frame.isConnected) root.append(frame);
      measure();
    },
  };
}
