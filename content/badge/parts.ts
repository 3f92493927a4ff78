import type { BadgeOptions } from './options.ts';

/** The elements of the badge: a landmark around logo, message and buttons, to append to the host's root. */
export function createParts(options: Required<BadgeOptions>) {
  const host = document.createElement('type-badge');
  const root = host.attachShadow({ mode: 'open' });
  const frame = addElement(root, 'aside', 'card');
  const logo = addElement(frame, 'span', 'logo');
  const message = addElement(frame, 'div', 'message');
  const words = addElement(message, 'p', 'words');
  const severity = addElement(words, 'b', 'severity');
  words.append(' ');
  const lead = addElement(words, 'span', 'lead'); // the message, if the link has a label
  const text = addElement(words, 'a', 'text');
  const links = addElement(message, 'span', 'links'); // those within the message once more, while it is cut
  const more = addElement(message, 'button', 'more');
  const toggle = addElement(frame, 'button', 'toggle');
  const dismiss = addElement(frame, 'button', 'dismiss');
  host.dataset.position = options.position;
  host.dataset.theme = options.theme;
  host.dir = document.dir || document.body?.dir || '';
  frame.ariaLabel = options.label;
  // The language of the message need not be the page's.
  words.dir = severity.dir = 'auto';
  more.textContent = options.labelMore;
  dismiss.ariaLabel = options.labelDismiss;
  // A list, because names would be bytes that every reader loads.
  return [
    host,
    root,
    frame,
    logo,
    message,
    words,
    severity,
    lead,
    text,
    links,
    more,
    toggle,
    dismiss,
  ] as const;
}

/** A new last child, named for `::part()` so that the embedding site may style it. */
function addElement<Tag extends keyof HTMLElementTagNameMap>(
  parent: ParentNode,
  tag: Tag,
  part: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.part = part;
  parent.append(element);
  return element;
}
