type Child = Node | string | false | undefined;
type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => unknown)>>;

/** An element that the page always has. */
export function find<Kind extends Element>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${selector}`);
}

/** Creates an element. Texts become text nodes, whatever they contain; functions become event listeners. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(attribute, value);
    else if (value !== false) made.setAttribute(attribute, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/**
 * A button; `about` distinguishes it for screen readers from others with the same text. A double click counts
 * once: after the first, the button of another row may be below the pointer.
 */
export function button(text: string, about: string, click: () => unknown): HTMLButtonElement {
  const label = about !== '' && `${text}: ${about}`;
  const once = (event: Event) => (event as MouseEvent).detail < 2 && click();
  return element('button', { type: 'button', 'aria-label': label, click: once }, text);
}

/** Adds a missing scheme when a field is left: `example.org/news` becomes `https://example.org/news`. */
export function completeAddresses(): void {
  addEventListener('change', ({ target: field }) => {
    if (!(field instanceof HTMLInputElement) || field.inputMode !== 'url') return;
    if (!/^(?:\*\.)?[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(field.value.trim())) return;
    field.value = `https://${field.value.trim()}`;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** A table in a region that scrolls by keyboard on narrow screens. */
export function table(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Child[])[],
): HTMLElement {
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col' }, text)))),
      element(
        'tbody',
        {},
        ...rows.map(([first, ...others]) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, first),
            ...others.map((cell) => element('td', {}, cell)),
          ),
        ),
      ),
    ),
  );
}
