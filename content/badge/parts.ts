import type { BadgeOptions } from './options.ts';

/** The elements of the badge: a landmark around logo, message and two buttons, in a shadow root. */
export function createParts(label: string, options: BadgeOptions) {
  const host = document.createElement('type-badge');
  const root = host.attachShadow({ mode: 'open' });
  const style = addElement(root, 'link', '');
  const frame = addElement(root, 'aside', 'card');
  const logo = addElement(frame, 'img', 'logo');
  const message = addElement(frame, 'div', 'message');
  const severity = addElement(message, 'b', 'severity');
  const lead = addElement(message, 'span', 'lead'); // the message, where the link has words of its own
  const text = addElement(message, 'a', 'text');
  const toggle = addElement(frame, 'button', 'toggle');
  const dismiss = addElement(frame, 'button', 'dismiss');
  host.dataset.position = options.position || 'bottom-right';
  host.dataset.theme = options.theme || 'auto';
  host.dir = document.dir || document.body.dir;
  frame.ariaLabel = label;
  text.dir = 'auto'; // the language of the message need not be the page's
  text.rel = 'noopener';
  dismiss.ariaLabel = options.labelDismiss || 'Dismiss';
  return { host, root, style, logo, message, severity, lead, text, toggle, dismiss };
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
