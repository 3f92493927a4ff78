import type { BadgeOptions } from '../badge/options.ts';

/** The demo page's own script: the form's choices, shown in the preview and written as a tag. */
const form = find('form', HTMLFormElement);
const frame = find('iframe', HTMLIFrameElement);
const tag = find('#tag', HTMLElement);
const heard = find('.heard', HTMLElement);
const copied = find('#copied', HTMLElement);
const copy = find('#copy', HTMLButtonElement);
const events = ['shown', 'opened', 'collapsed', 'dismissed', 'clicked'];

function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const element = document.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${selector}`);
}

function readChoices(): Map<string, string> {
  const choices = new Map<string, string>();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (name !== 'phone' && text !== '') choices.set(name, text);
  }
  return choices;
}

function toTag(choices: Map<string, string>): string {
  const attributes = [...choices]
    .filter(([name, value]) => !(name === 'position' && value === 'bottom-right') && value !== 'auto')
    .map(([name, value]) => {
      const quoted = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
      return value === 'true' ? ` data-${name}` : ` data-${name}="${quoted}"`;
    });
  return `<script src="${tag.dataset.src}"${attributes.join('')} defer></script>`;
}

function toOptions(choices: Map<string, string>): BadgeOptions {
  const inCamelCase = [...choices].map(([name, value]) => [
    name.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  // Counting is off in here whatever the choice: nobody's visit is meant.
  return { ...Object.fromEntries(inCamelCase), analytics: 'off' };
}

function apply(): void {
  const choices = readChoices();
  tag.textContent = toTag(choices);
  copied.textContent = '';
  frame.dataset.theme = choices.get('theme') ?? 'auto';
  frame.classList.toggle('phone', new FormData(form).has('phone'));
  showPreview(choices);
}

function showPreview(choices: Map<string, string>): void {
  try {
    localStorage.removeItem('typebadge'); // a badge dismissed in here comes back with the next choice
  } catch {
    // blocked storage remembers nothing anyway
  }
  frame.contentWindow?.TypeBadge?.init(toOptions(choices));
}

function listen(): void {
  for (const name of events) {
    frame.contentDocument?.addEventListener(`typebadge:${name}`, (event) => {
      const { id } = (event as CustomEvent<{ id: string }>).detail;
      const nothing = id === '' ? ' (nothing is announced right now)' : '';
      const wayBack = name === 'dismissed' ? ' (any choice brings it back here)' : '';
      heard.textContent = `Event received by your page: typebadge:${name}${nothing}${wayBack}`;
    });
  }
}

async function copyTag(): Promise<void> {
  try {
    await navigator.clipboard.writeText(tag.textContent ?? '');
    copied.textContent = 'Copied.';
  } catch {
    getSelection()?.selectAllChildren(tag); // clipboards are for secure pages only
    copied.textContent = 'Selected: press Ctrl+C (⌘C on a Mac) to copy.';
  }
}

find('#plain', HTMLElement).hidden = true;
form.hidden = false;
copy.hidden = false;
form.addEventListener('input', apply);
form.addEventListener('reset', () => setTimeout(apply));
form.addEventListener('submit', (event) => event.preventDefault());
copy.addEventListener('click', copyTag);
frame.addEventListener('load', () => {
  listen();
  apply();
});
apply();
