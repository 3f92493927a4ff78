import type { BadgeOptions } from '../badge/options.ts';
import { createPreviewFetch } from './demo-samples.ts';

/** The demo page's own script: the form's choices, shown in the preview and written as a tag. */
const form = find('form', HTMLFormElement);
const frame = find('iframe', HTMLIFrameElement);
const tag = find('#tag', HTMLElement);
const heard = find('.heard', HTMLElement);
const copied = find('#copied', HTMLElement);
const copy = find('#copy', HTMLButtonElement);
const colours = find('#colours', HTMLElement);

const events = {
  shown: 'The badge has appeared on the page',
  opened: 'A visitor opened the badge to read',
  collapsed: 'A visitor collapsed the badge to its logo',
  dismissed: 'A visitor closed the announcement',
  clicked: 'A visitor followed the link',
};
/** Choices that are no attribute of the tag: of the preview, and custom properties. */
const properties = ['background', 'color', 'accent'];
const notOfTheTag = ['sample', 'address', 'phone', 'own', 'logo', ...properties];
let logoAddress = ''; // of the chosen file, for this page alone

function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const element = document.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${selector}`);
}

type Choices = ReadonlyMap<string, string>;

function readChoices(): Choices {
  const choices = new Map<string, string>();
  for (const [name, value] of new FormData(form)) {
    const text = (value instanceof File ? value.name : value).trim();
    if (text !== '') choices.set(name, text);
  }
  return choices;
}

/** Pairs of an attribute's name, without `data-`, and its value. */
function toAttributes(choices: Choices): [string, string][] {
  return [...choices].filter(([name]) => !notOfTheTag.includes(name));
}

function toTag(choices: Choices): string {
  const attributes = toAttributes(choices)
    .filter(([name, value]) => !(name === 'position' && value === 'bottom-right'))
    .filter(([name, value]) => !(name === 'theme' && value === 'auto'))
    .map(([name, value]) => {
      const quoted = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
      return value === 'true' ? ` data-${name}` : ` data-${name}="${quoted}"`;
    });
  return `<script src="${tag.dataset.src}"${attributes.join('')} defer></script>${toStyle(choices)}`;
}

/** A style element to paste beside the tag; empty where nothing but the tag is needed. */
function toStyle(choices: Choices): string {
  const logo = choices.get('logo');
  const rules = [
    ...properties.filter((name) => choices.has(name)).map((name) => `${name}: ${choices.get(name)}`),
    // Percent-encoded, a file's name can end neither the text nor the element.
    ...(logo === undefined ? [] : [`logo: url("/${encodeURIComponent(logo)}")`]),
  ];
  if (rules.length === 0) return '';
  return `\n<style>\n  :root {\n${rules.map((rule) => `    --typebadge-${rule};\n`).join('')}  }\n</style>`;
}

function toOptions(choices: Choices): BadgeOptions {
  const inCamelCase = toAttributes(choices).map(([name, value]) => [
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
  const { style } = inner.document.documentElement;
  for (const name of properties) style.setProperty(`--typebadge-${name}`, choices.get(name) ?? '');
  style.setProperty('--typebadge-logo', logoAddress && `url(${logoAddress})`);
  inner.fetch = createPreviewFetch({
    sample: choices.get('sample') ?? '',
    address: choices.get('address') ?? '',
  });
  // With its logo, so that the preview is never empty and says why.
  inner.TypeBadge.init({ ...toOptions(choices), showEmpty: true });
}

/** Fields that belong to a choice: colours to the box above them, the preview's address to the logo's file. */
function follow({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.name === 'own') {
    colours.hidden = !target.checked;
    for (const field of colours.querySelectorAll('input')) field.disabled = !target.checked;
  }
  if (target.name === 'logo') {
    URL.revokeObjectURL(logoAddress);
    const file = target.files?.[0];
    logoAddress = file ? URL.createObjectURL(file) : '';
  }
}

function listen(): void {
  for (const [name, sentence] of Object.entries(events)) {
    frame.contentDocument?.addEventListener(`typebadge:${name}`, (event) => {
      const { id } = (event as CustomEvent<{ id: string }>).detail;
      const nothing =
        id === ''
          ? ' with its logo alone (nothing is announced right now; with data-show-empty, your page shows the logo)'
          : '';
      const wayBack = name === 'dismissed' ? ' Here, any choice brings it back.' : '';
      heard.textContent = `${sentence}${nothing}. Your page receives the event typebadge:${name}.${wayBack}`;
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
form.addEventListener('input', (event) => {
  follow(event);
  apply();
});
form.addEventListener('submit', (event) => event.preventDefault());
copy.addEventListener('click', copyTag);
frame.addEventListener('load', () => {
  listen();
  apply();
});
apply();
