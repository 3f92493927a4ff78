import { html, type Markup } from './html.ts';

interface Entry {
  readonly name: string;
  readonly meaning: string;
  /** Allowed values, the default first. */
  readonly values?: readonly string[];
}

const attributes: readonly Entry[] = [
  {
    name: 'data-position',
    meaning: 'A corner of the window, or a bar across the page:',
    values: ['bottom-right', 'bottom-left', 'top-right', 'top-left', 'top', 'bottom'],
  },
  {
    name: 'data-theme',
    meaning: 'Auto follows the reader’s system, also when that changes:',
    values: ['auto', 'light', 'dark'],
  },
  { name: 'data-collapsed', meaning: 'Starts as the logo alone, with a dot while the news is unread.' },
  { name: 'data-show-empty', meaning: 'Shows the logo while there is no announcement, instead of nothing.' },
  {
    name: 'data-analytics',
    meaning: 'Whether views, clicks and dismissals are counted:',
    values: ['on', 'off'],
  },
  {
    name: 'data-lang',
    meaning: 'The reader’s language, for translated announcements. Without it, the language of your page.',
  },
  {
    name: 'data-label',
    meaning: 'The name by which screen readers call the badge, in your page’s language:',
    values: ['Announcement'],
  },
  { name: 'data-label-new', meaning: 'What they add to it while the news is unread:', values: ['new'] },
  { name: 'data-label-dismiss', meaning: 'The name of the button that closes it:', values: ['Dismiss'] },
  { name: 'data-label-more', meaning: 'The button below a long message:', values: ['Read on'] },
  {
    name: 'data-success, data-warning, data-critical',
    meaning: 'The word before an announcement of that severity:',
    values: ['Good news', 'Warning', 'Critical'],
  },
  {
    name: 'data-base-url',
    meaning: 'The address of the announcement server, if the script is loaded from somewhere else.',
  },
];

const properties: readonly Entry[] = [
  { name: '--typebadge-background', meaning: 'The background:', values: ['#fff', 'dark #1c212c'] },
  { name: '--typebadge-color', meaning: 'The text:', values: ['#1d2433', 'dark #eceff6'] },
  { name: '--typebadge-accent', meaning: 'Links and the dot:', values: ['#3b4cca', 'dark #a5b4ff'] },
  {
    name: '--typebadge-success, --typebadge-warning, --typebadge-critical',
    meaning: 'The mark of that severity.',
  },
  { name: '--typebadge-logo', meaning: 'url("…") of an image of your own, in place of the server’s logo.' },
  { name: '--typebadge-font', meaning: 'The typeface:', values: ['system-ui'] },
  { name: '--typebadge-radius', meaning: 'The radius of the corners:', values: ['1em'] },
  { name: '--typebadge-width', meaning: 'The maximum width:', values: ['26em'] },
  { name: '--typebadge-offset', meaning: 'Distance from the edges:', values: ['1em'] },
];

const events: readonly Entry[] = [
  { name: 'typebadge:shown', meaning: 'The badge has appeared on the page.' },
  { name: 'typebadge:opened', meaning: 'A visitor opened the badge to read the announcement.' },
  { name: 'typebadge:collapsed', meaning: 'A visitor collapsed the badge to its logo.' },
  { name: 'typebadge:dismissed', meaning: 'A visitor closed the announcement. It stays closed for 14 days.' },
  { name: 'typebadge:clicked', meaning: 'A visitor followed the link.' },
];

/** Everything that the form can try out, as lists that need no JavaScript: attributes of the tag, colours, events. */
export const reference = html`<h2>Tag options</h2>
${definitionList(attributes)}
<h2>Colours and logo</h2>
<p>Custom properties that a stylesheet of yours sets on <code>:root</code> or on <code>type-badge</code>. Borders and
hovered buttons follow from them.</p>
${definitionList(properties)}
<h2>When something happens</h2>
<p>The badge tells your page what visitors do with it. You need this only to react to it, such as with statistics of
your own:</p>
<pre><code>${`addEventListener('typebadge:dismissed', ({ detail }) => console.log(detail.id));`}</code></pre>
${definitionList(events)}`;

function definitionList(entries: readonly Entry[]): Markup {
  return html`<dl>
${entries.map(
  ({ name, meaning, values = [] }) => html`<dt>${codes(name.split(', '))}</dt>
<dd>${meaning}${values.length > 0 ? ' ' : ''}${codes(values)}</dd>
`,
)}</dl>`;
}

function codes(texts: readonly string[]): readonly Markup[] {
  return texts.map((text, index) => html`${index === 0 ? '' : ', '}<code>${text}</code>`);
}
