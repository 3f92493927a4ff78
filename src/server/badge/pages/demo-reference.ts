import { html, type Markup } from './html.ts';

/** The name, what it means, and allowed values, the default first. */
type Entry = readonly [name: string, meaning: string, ...values: string[]];

const attributes: readonly Entry[] = [
  [
    'data-position',
    'A corner of the window, or a bar across the page:',
    'bottom-right',
    'bottom-left',
    'top-right',
    'top-left',
    'top',
    'bottom',
  ],
  ['data-theme', 'Auto follows the reader’s system, also when that changes:', 'auto', 'light', 'dark'],
  ['data-collapsed', 'Starts as the logo alone, with a dot while the news is unread.'],
  ['data-show-empty', 'Shows the logo while there is no announcement, instead of nothing.'],
  ['data-analytics', 'Whether views, clicks and dismissals are counted:', 'on', 'off'],
  [
    'data-lang',
    'The reader’s language, for translated announcements. Without it, the language of your page.',
  ],
  ['data-label', 'The name by which screen readers call the badge, in your page’s language:', 'Announcement'],
  ['data-label-new', 'What they add to it while the news is unread:', 'new'],
  ['data-label-dismiss', 'The name of the button that closes it:', 'Dismiss'],
  ['data-label-more', 'The button below a long message:', 'Read on'],
  [
    'data-success, data-warning, data-critical',
    'The word before an announcement of that severity:',
    'Good news',
    'Warning',
    'Critical',
  ],
  ['data-base-url', 'The address of the announcement server, if the script is loaded from somewhere else.'],
];

const properties: readonly Entry[] = [
  ['--typebadge-background', 'The background:', '#fff', 'dark #1c212c'],
  ['--typebadge-color', 'The text:', '#1d2433', 'dark #eceff6'],
  ['--typebadge-accent', 'Links and the dot:', '#3b4cca', 'dark #a5b4ff'],
  ['--typebadge-success, --typebadge-warning, --typebadge-critical', 'The mark of that severity.'],
  ['--typebadge-logo', 'url("…") of an image of your own, in place of the server’s logo.'],
  ['--typebadge-font', 'The typeface:', 'system-ui'],
  ['--typebadge-radius', 'The radius of the corners:', '1em'],
  ['--typebadge-width', 'The maximum width:', '26em'],
  ['--typebadge-offset', 'Distance from the edges:', '1em'],
];

const events: readonly Entry[] = [
  ['typebadge:shown', 'The badge has appeared on the page.'],
  ['typebadge:opened', 'A visitor opened the badge to read the announcement.'],
  ['typebadge:collapsed', 'A visitor collapsed the badge to its logo.'],
  ['typebadge:dismissed', 'A visitor closed the announcement. It stays closed for 14 days.'],
  ['typebadge:clicked', 'A visitor followed the link.'],
];

/** Everything that the form offers, as lists that need no JavaScript: attributes, colours, events. */
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
  ([name, meaning, ...values]) => html`<dt>${codes(name.split(', '))}</dt>
<dd>${meaning}${values.length > 0 ? ' ' : ''}${codes(values)}</dd>
`,
)}</dl>`;
}

function codes(texts: readonly string[]): readonly Markup[] {
  return texts.map((text, index) => html`${index === 0 ? '' : ', '}<code>${text}</code>`);
}
