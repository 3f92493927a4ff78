import type { BadgeOptions } from '../badge/options.ts';
import { createPreviewFetch } from './demo-samples.ts';

/** The script of the demo page: shows the form's choices in the preview and as a tag. */
const form = find('form', HTMLFormElement);
const frame = find('iframe', HTMLIFrameElement);
const tag = find('#tag', HTMLElement);
const heard = find('.heard', HTMLElement);
const copied = find('#copied', HTMLElement);
const copy = find('#copy', HTMLButtonElement);
const collapsed = find('[name=collapsed]', HTMLInputElement);

const events = {
  shown: 'The badge has appeared on the page',
  opened: 'A visitor opened the badge to read',
  collapsed: 'A visitor collapsed the badge to its logo',
  dismissed: 'A visitor dismissed the announcement',
  clicked: 'A visitor followed the link',
};
/** Choices about the preview, not attributes of the tag. */
const notOfTheTag = ['sample', 'phone'];

function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const element = document.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${selector}`);
}

type Choices = ReadonlyMap<string, string>;

function readChoices(): Choices {
  return new Map([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** Pairs of an attribute's name, without `data-`, and its value. */
function attributesOf(choices: Choices): [string, string][] {
  return [...choices].filter(([name]) => !notOfTheTag.includes(name));
}

function tagText(choices: Choices): string {
  const attributes = attributesOf(choices)
    .filter(([name, value]) => !(name === 'position' && value === 'bottom-right'))
    .filter(([name, value]) => !(name === 'theme' && value === 'auto'))
    .map(([name, value]) => (value === 'true' ? ` data-${name}` : ` data-${name}="${value}"`));
  // In the head, without `async`, it makes room for the bar at the top before the page appears.
  const loading = choices.get('position') === 'top' ? '' : ' async';
  return `<script src="${tag.dataset.src}"${attributes.join('')}${loading}></script>`;
}

function optionsOf(choices: Choices): BadgeOptions {
  const inCamelCase = attributesOf(choices).map(([name, value]) => [
    name.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  // Counting is always off here: this is not a visit.
  return { ...Object.fromEntries(inCamelCase), analytics: 'off' };
}

function apply(): void {
  // Bars cannot collapse; what is disabled is not read.
  collapsed.disabled = !readChoices().get('position')?.includes('-');
  const choices = readChoices();
  tag.textContent = tagText(choices);
  copied.textContent = '';
  frame.dataset.theme = choices.get('theme') ?? 'auto';
  frame.classList.toggle('phone', choices.has('phone'));
  showPreview(choices);
}

function showPreview(choices: Choices): void {
  const inner = frame.contentWindow as (Window & typeof globalThis) | null;
  if (!inner?.TypeBadge) return;
  try {
    localStorage.removeItem('typebadge'); // a badge dismissed in here comes back with the next choice
  } catch {
    // blocked storage remembers nothing anyway
  }
  inner.fetch = createPreviewFetch(choices.get('sample') ?? '', () => {
    heard.textContent = 'Nothing is announced, so your page shows nothing.';
  });
  inner.TypeBadge.init(optionsOf(choices));
}

function listen(): void {
  for (const [name, sentence] of Object.entries(events)) {
    frame.contentDocument?.addEventListener(`typebadge:${name}`, (event) => {
      const { id } = (event as CustomEvent<{ id: string }>).detail;
      const alone = id === '' ? ' with its logo alone: nothing is announced' : '';
      const wayBack = name === 'dismissed' ? ' Here, any choice brings it back.' : '';
      heard.textContent = `${sentence}${alone}. Your page receives the event typebadge:${name}.${wayBack}`;
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
for (const element of [form, frame, copy]) element.hidden = false;
form.addEventListener('input', apply);
form.addEventListener('submit', (event) => event.preventDefault());
copy.addEventListener('click', copyTag);
frame.addEventListener('load', () => {
  listen();
  apply();
});
apply();
