import { html, type Markup } from './html.ts';

const samples = [
  ['', 'The current announcement'],
  ['info', 'Sample: information'],
  ['success', 'Sample: success'],
  ['warning', 'Sample: warning'],
  ['critical', 'Sample: critical, cannot be closed'],
  ['long', 'Sample: a long message'],
  ['none', 'No announcement'],
] as const;

/** The form beside the preview; hidden until the page's script runs, because it does nothing without it. */
export const choiceForm = html`<form autocomplete="off" hidden>
<fieldset><legend>What the preview shows</legend>
<label class="field"><span>Announcement</span>
<select name="sample">${samples.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></label>
${checkbox('phone', 'true', 'Phone width')}
</fieldset>
${radioButtons({ name: 'position', legend: 'Position', values: ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'top', 'bottom'], preset: 'bottom-right' })}
${radioButtons({ name: 'theme', legend: 'Theme', className: 'themes', values: ['auto', 'light', 'dark'], preset: 'auto' })}
<fieldset><legend>Behaviour</legend>
${checkbox('collapsed', 'true', 'Start collapsed')}
${checkbox('show-empty', 'true', 'Show the logo without an announcement')}
${checkbox('analytics', 'off', 'Turn off counting')}
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
