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
${textField('address', 'Address of the page it is on', 'https://www.example.org/docs/', 300)}
${checkbox('phone', 'true', 'Phone width')}
</fieldset>
${radioButtons({ name: 'position', legend: 'Position', values: ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'top', 'bottom'], preset: 'bottom-right' })}
${radioButtons({ name: 'theme', legend: 'Theme', className: 'themes', values: ['auto', 'light', 'dark'], preset: 'auto' })}
<fieldset><legend>Behaviour</legend>
${checkbox('collapsed', 'true', 'Start collapsed')}
${checkbox('show-empty', 'true', 'Show the logo without an announcement')}
${checkbox('analytics', 'off', 'Turn off counting')}
</fieldset>
<fieldset><legend>Colours and logo</legend>
${checkbox('own', 'true', 'Colours of my own')}
<div id="colours" hidden>
<p class="hint">They apply to readers in light and dark mode alike: choose the theme they fit.</p>
<div class="colours">
${colourField('background', 'Background', '#ffffff')}
${colourField('color', 'Words', '#1d2433')}
${colourField('accent', 'Links', '#3b4cca')}
</div>
</div>
<label class="field"><span>Logo</span> <input type="file" name="logo" accept="image/*"></label>
</fieldset>
<fieldset><legend>Language</legend>
${textField('lang', 'Language of announcements', 'de', 35)}
${textField('label', 'Name for screen readers', 'Announcement', 60)}
<details><summary>More words</summary>
${textField('label-new', 'Unread', 'new', 60)}
${textField('label-dismiss', 'Button that closes', 'Dismiss', 60)}
${textField('label-more', 'Button below a long message', 'Read on', 60)}
${textField('success', 'Before a success', 'success', 30)}
${textField('warning', 'Before a warning', 'warning', 30)}
${textField('critical', 'Before critical news', 'critical', 30)}
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

function radioButtons({ name, legend, className, values, preset }: Radios): Markup {
  const options = values.map((value) => {
    const checked = value === preset ? ' checked' : '';
    const text = value.charAt(0).toUpperCase() + value.slice(1).replace('-', ' ');
    return html`<label><input type="radio" name="${name}" value="${value}"${checked}><span>${text}</span></label>`;
  });
  return html`<fieldset><legend>${legend}</legend><div class="${className === undefined ? 'choices' : `choices ${className}`}">${options}</div></fieldset>`;
}

function checkbox(name: string, value: string, text: string): Markup {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}">${text}</label>`;
}

function textField(name: string, text: string, example: string, longest: number): Markup {
  return html`<label class="field"><span>${text}</span>
<input type="text" name="${name}" placeholder="${example}" maxlength="${longest}" spellcheck="false" autocapitalize="off"></label>`;
}

function colourField(name: string, text: string, value: string): Markup {
  return html`<label><input type="color" name="${name}" value="${value}" disabled>${text}</label>`;
}
