import { html, type Markup } from './html.ts';

const samples = [
  ['', 'The current announcement'],
  ['info', 'Sample: information'],
  ['success', 'Sample: success'],
  ['warning', 'Sample: warning'],
  ['critical', 'Sample: critical, cannot be closed'],
  ['long', 'Sample: a long message'],
  ['docs', 'Sample: only for pages under /docs/'],
  ['none', 'No announcement'],
] as const;

/** The form beside the preview; shown by the page's script, because it does nothing without it. */
export const choiceForm = html`<form autocomplete="off" hidden>
<fieldset><legend>What the preview shows</legend>
<label class="field"><span>Announcement</span>
<select name="sample">${samples.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></label>
${toTextField('address', 'Address of the page it is on', 'https://www.example.org/docs/', 300)}
${toCheckbox('phone', 'true', 'Phone width')}
</fieldset>
${toRadios({ name: 'position', legend: 'Position', values: ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'top', 'bottom'], preset: 'bottom-right' })}
${toRadios({ name: 'theme', legend: 'Theme', className: 'themes', values: ['auto', 'light', 'dark'], preset: 'auto' })}
<fieldset><legend>Behaviour</legend>
${toCheckbox('collapsed', 'true', 'Start collapsed')}
${toCheckbox('show-empty', 'true', 'Show the logo without an announcement')}
${toCheckbox('analytics', 'off', 'Turn off counting')}
</fieldset>
<fieldset><legend>Colours and logo</legend>
${toCheckbox('own', 'true', 'Colours of my own')}
<div id="colours" hidden>
<p class="hint">They apply to readers in light and dark mode alike: choose the theme they fit.</p>
<div class="colours">
${toColour('background', 'Background', '#ffffff')}
${toColour('color', 'Words', '#1d2433')}
${toColour('accent', 'Links', '#3b4cca')}
</div>
</div>
<label class="field"><span>Logo</span> <input type="file" name="logo" accept="image/*"></label>
</fieldset>
<fieldset><legend>Language</legend>
${toTextField('lang', 'Language of announcements', 'de', 35)}
${toTextField('label', 'Name for screen readers', 'Announcement', 60)}
<details><summary>More words</summary>
${toTextField('label-new', 'Unread', 'new', 60)}
${toTextField('label-dismiss', 'Button that closes', 'Dismiss', 60)}
${toTextField('label-more', 'Button below a long message', 'Read on', 60)}
${toTextField('success', 'Before a success', 'success', 30)}
${toTextField('warning', 'Before a warning', 'warning', 30)}
${toTextField('critical', 'Before critical news', 'critical', 30)}
</details>
</fieldset>
</form>`;

interface Radios {
  readonly name: string;
  readonly legend: string;
  readonly className?: string;
  readonly values: readonly string[];
  /** The initial value. */
  readonly preset: string;
}

function toRadios({ name, legend, className, values, preset }: Radios): Markup {
  const options = values.map((value) => {
    const checked = value === preset ? ' checked' : '';
    const text = value.charAt(0).toUpperCase() + value.slice(1).replace('-', ' ');
    return html`<label><input type="radio" name="${name}" value="${value}"${checked}><span>${text}</span></label>`;
  });
  return html`<fieldset><legend>${legend}</legend><div class="${className === undefined ? 'choices' : `choices ${className}`}">${options}</div></fieldset>`;
}

function toCheckbox(name: string, value: string, text: string): Markup {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}">${text}</label>`;
}

function toTextField(name: string, text: string, example: string, longest: number): Markup {
  return html`<label class="field"><span>${text}</span>
<input type="text" name="${name}" placeholder="${example}" maxlength="${longest}" spellcheck="false" autocapitalize="off"></label>`;
}

function toColour(name: string, text: string, value: string): Markup {
  return html`<label><input type="color" name="${name}" value="${value}" disabled>${text}</label>`;
}
