import type { Announcement } from './announcement.ts';
import { addElement } from './element.ts';
import type { BadgeOptions, Source } from './options.ts';

export interface Actions {
  onToggle(): void;
  onDismiss(): void;
  onClick(): void;
}

/**
 * The badge's elements: a landmark around logo, message and two buttons, in a shadow root. Nothing is loaded
 * before `attach`, and nothing is seen before `show`, which has to wait for it: nobody sees it unstyled.
 */
export function createCard({ base, brand }: Source, options: BadgeOptions, actions: Actions) {
  const label = options.label || 'Announcement';
  const host = document.createElement('type-badge');
  const root = host.attachShadow({ mode: 'open' });
  const veil = new CSSStyleSheet(); // constructed, because a strict policy forbids style attributes
  const style = addElement(root, 'link', '');
  const frame = addElement(root, 'aside', 'card');
  const logo = addElement(frame, 'img', 'logo');
  const message = addElement(frame, 'div', 'message');
  const text = addElement(message, 'a', 'text'); // as long as it has no href, it is text and no link
  const toggle = addElement(frame, 'button', 'toggle');
  const dismiss = addElement(frame, 'button', 'dismiss');
  let cameFrom: HTMLElement | null = null;

  const giveFocusBack = () => {
    if (root.activeElement) cameFrom?.focus({ preventScroll: true });
  };
  const hide = () => {
    giveFocusBack();
    host.dataset.state = 'hidden';
    root.adoptedStyleSheets = [veil];
  };

  veil.replaceSync(':host{display:none!important}');
  hide();
  host.dataset.position = options.position || 'bottom-right';
  host.dataset.theme = options.theme || 'auto';
  host.dir = document.dir || document.body.dir;
  frame.ariaLabel = label;
  dismiss.ariaLabel = options.labelDismiss || 'Dismiss';
  text.dir = 'auto'; // the language of the message need not be the page's
  text.rel = 'noopener';
  toggle.onclick = actions.onToggle;
  dismiss.onclick = actions.onDismiss;
  // A page may forbid images, or the server lose this one: the badge then says its name.
  logo.onerror = () => logo.replaceWith(brand);
  // Focus moving about inside never gets here, because seen from outside it stays on the host.
  host.addEventListener('focusin', ({ relatedTarget }) => {
    cameFrom = (relatedTarget as HTMLElement | null) ?? cameFrom;
  });
  const styled = new Promise((resolve) => {
    style.onload = resolve;
    style.onerror = () => console.debug('typebadge: no stylesheet');
  });
  style.rel = 'stylesheet';
  style.href = `${base}css/${brand}-inject.min.css`;

  return {
    host,
    hide,

    /** Puts the badge, still invisible, into the page; resolves once it could be shown. */
    attach(): Promise<unknown> {
      logo.src ||= `${base}images/${brand}-logo.svg`;
      // Beside the body, not in it: page swaps replace the body, and `body > :last-child` stays what it was.
      if (!host.isConnected) document.documentElement.append(host);
      return styled;
    },

    /** A text node and a parsed URL: the server's words are never markup. */
    write({ message: words, href }: Announcement): void {
      text.textContent = words;
      text.href = href;
      text.onclick = actions.onClick;
      if (!href) {
        text.removeAttribute('href');
        text.onclick = null;
      }
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
