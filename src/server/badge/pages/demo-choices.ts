import { html, type Markup } from './html.ts';

/** The form beside the preview; shown by the page's script, because without it there is nothing to choose for. */
export const choiceForm = html`<form autocomplete="off" hidden>
${toRadios('position', 'Position', '', ['top-left', 'top-right', 'bottom-left', 'bottom-right'], 'bottom-right')}
${toRadios('theme', 'Theme', ' themes', ['auto', 'light', 'dark'], 'auto')}
<fieldset><legend>Behaviour</legend>
${toCheckbox('collapsed', 'true', 'Start collapsed')}
${toCheckbox('hide-empty', 'true', 'Show nothing without an announcement')}
${toCheckbox('analytics', 'off', 'Turn off counting')}
</fieldset>
<fieldset>
<label><span class="name">Name for screen readers</span>
<input type="text" name="label" placeholder="Announcement" maxlength="60"></label>
</fieldset>
<fieldset><legend>Preview</legend>
${toCheckbox('phone', 'true', 'Phone width')}
</fieldset>
</form>`;

function toRadios(
  name: string,
  legend: string,
  kind: string,
  values: readonly string[],
  preset: string,
): Markup {
  const options = values.map((value) => {
    const checked = value === preset ? ' checked' : '';
    const text = value.charAt(0).toUpperCase() + value.slice(1).replace('-', ' ');
    return html`<label><input type="radio" name="${name}" value="${value}"${checked}><span>${text}</span></label>`;
  });
  return html`<fieldset><legend>${legend}</legend><div class="choices${kind}">${options}</div></fieldset>`;
}

function toCheckbox(name: string, value: string, text: string): Markup {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}">${text}</label>`;
}

interface Attribute {
  readonly name: string;
  readonly meaning: string;
  /** What it takes, the default first. */
  readonly values?: readonly string[];
}

const attributes: readonly Attribute[] = [
  {
    name: 'data-position',
    meaning: 'The corner of the window:',
    values: ['bottom-right', 'bottom-left', 'top-right', 'top-left'],
  },
  {
    name: 'data-theme',
    meaning: 'Auto follows the reader’s system, also when that changes:',
    values: ['auto', 'light', 'dark'],
  },
  { name: 'data-collapsed', meaning: 'Starts as a small mark, with a dot while the news is unread.' },
  { name: 'data-hide-empty', meaning: 'Shows nothing while there is no announcement, instead of the mark.' },
  {
    name: 'data-analytics',
    meaning: 'Whether views, clicks and dismissals are counted:',
    values: ['on', 'off'],
  },
  {
    name: 'data-label',
    meaning: 'The name by which screen readers call the badge, in your page’s language:',
    values: ['Announcement'],
  },
  { name: 'data-label-new', meaning: 'What they add to it while the news is unread:', values: ['new'] },
  { name: 'data-label-dismiss', meaning: 'The name of the button that closes it:', values: ['Dismiss'] },
  {
    name: 'data-base-url',
    meaning: 'The address of the announcement server, where the script comes from somewhere else.',
  },
];

/** Every attribute that the tag takes. */
export const attributeList = html`<dl>
${attributes.map(
  ({ name, meaning, values = [] }) => html`<dt><code>${name}</code></dt>
<dd>${meaning}${values.map((value, index) => html`${index === 0 ? ' ' : ', '}<code>${value}</code>`)}</dd>
`,
)}</dl>`;
