import html, { type HtmlSafeString } from 'escape-html-template-tag';

/** The form beside the preview; shown by the page's script, because without it there is nothing to choose for. */
export const choiceForm = html`<form autocomplete="off" hidden>
${toRadios('position', 'Position', '', ['top-left', 'top-right', 'bottom-left', 'bottom-right'], 'bottom-right')}
${toRadios('theme', 'Theme', ' themes', ['auto', 'light', 'dark'], 'auto')}
<fieldset><legend>Behaviour</legend>
${toCheckbox('collapsed', 'true', 'Start collapsed')}
${toCheckbox('hide-empty', 'true', 'Show nothing when there is no news')}
${toCheckbox('analytics', 'off', 'Count nothing')}
</fieldset>
<fieldset>
<label><span class="name">Name for screen readers</span>
<input type="text" name="label" placeholder="Announcement" maxlength="60"></label>
</fieldset>
<fieldset><legend>Preview</legend>
${toCheckbox('phone', 'true', 'As on a phone')}
</fieldset>
</form>`;

function toRadios(
  name: string,
  legend: string,
  kind: string,
  values: readonly string[],
  preset: string,
): HtmlSafeString {
  const options = values.map((value) => {
    const checked = value === preset ? ' checked' : '';
    const text = value.charAt(0).toUpperCase() + value.slice(1).replace('-', ' ');
    return html`<label><input type="radio" name="${name}" value="${value}"${checked}><span>${text}</span></label>`;
  });
  return html`<fieldset><legend>${legend}</legend><div class="choices${kind}">${options}</div></fieldset>`;
}

function toCheckbox(name: string, value: string, text: string): HtmlSafeString {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}">${text}</label>`;
}

const attributes: readonly (readonly [attribute: string, values: string, meaning: string])[] = [
  ['data-position', 'bottom-right, bottom-left, top-right or top-left', 'The corner of the window.'],
  [
    'data-theme',
    'auto, light or dark',
    'What “auto” does: it follows the reader’s system, also when that changes.',
  ],
  ['data-collapsed', '', 'Starts as a small mark, with a dot while the news is unread.'],
  ['data-hide-empty', '', 'Shows nothing while there is no announcement, instead of the mark.'],
  ['data-analytics', 'off', 'Counts neither views nor clicks nor dismissals.'],
  ['data-label', 'Announcement', 'The name by which screen readers call the badge.'],
  ['data-label-new', 'new', 'What they add to it while the news is unread.'],
  ['data-label-dismiss', 'Dismiss', 'The name of the button that closes the badge.'],
  [
    'data-base-url',
    'where the script came from',
    'The announcement server, if the script is served from elsewhere.',
  ],
];

/** Every attribute that the tag takes. A first value is the default. */
export const attributeTable = html`<div class="scroll" role="region" aria-label="Attributes" tabindex="0"><table>
<thead><tr><th scope="col">Attribute</th><th scope="col">Values, the default first</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${attributes.map(
  ([
    attribute,
    values,
    meaning,
  ]) => html`<tr><th scope="row"><code>${attribute}</code></th><td>${values}</td><td>${meaning}</td></tr>
`,
)}</tbody>
</table></div>`;
