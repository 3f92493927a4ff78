import type { BadgeOptions } from './options.ts';

/** The elements of the badge: a landmark around logo, message and buttons, to be put into the root of its host. */
export function createParts(label: string, options: BadgeOptions) {
  const host = document.createElement('type-badge');
  const root = host.attachShadow({ mode: 'open' });
  const style = addElement(root, 'link', '');
  const frame = addElement(root, 'aside', 'card');
  const logo = addElement(frame, 'img', 'logo');
  const message = addElement(frame, 'div', 'message');
  const words = addElement(message, 'p', 'words');
  const severity = addElement(words, 'b', 'severity');
  words.append(' ');
  const lead = addElement(words, 'span', 'lead'); // the message, where the link has words of its own
  words.append(' ');
  const text = addElement(words, 'a', 'text');
  const more = addElement(message, 'button', 'more');
  const toggle = addElement(frame, 'button', 'toggle');
  const dismiss = addElement(frame, 'button', 'dismiss');
  host.hidden = true; // until its stylesheet comes, which knows better
  host.dataset.position = options.position || 'bottom-right';
  host.dataset.theme = options.theme || 'auto';
  host.dir = document.dir || document.body.dir;
  frame.ariaLabel = label;
  // The language of the message need not be the page's.
  words.dir = severity.dir = 'auto';
  text.rel = 'noopener';
  logo.width = logo.height = 28;
  more.textContent = options.labelMore || 'Read on';
  dismiss.ariaLabel = options.labelDismiss || 'Dismiss';
  // A list, because names would be bytes that every reader loads.
  return [
    host,
    root,
    style,
    frame,
    logo,
    message,
    words,
    severity,
    lead,
    text,
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
