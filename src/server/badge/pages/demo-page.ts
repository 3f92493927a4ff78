import { readHomepage } from '../../../kit/package-files.ts';
import { html, type Markup } from './html.ts';
import { createPage, type HtmlPage, type PageParts } from './page.ts';

const samples = [
  ['info', 'Information'],
  ['success', 'Good news'],
  ['warning', 'Warning'],
  ['critical', 'Critical, cannot be dismissed'],
  ['long', 'A long message'],
  ['none', 'No announcement'],
] as const;

/** The form beside the preview; hidden until the page's script runs, because it does nothing without it. */
const choiceForm = html`<form autocomplete="off" hidden>
<fieldset><legend>What the preview shows</legend>
<label class="field"><span>Announcement</span>
<select name="sample"><option value="">The current announcement</option>
<optgroup label="Samples">${samples.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</optgroup></select></label>
${checkbox('phone', 'true', 'Phone width')}
</fieldset>
${radioButtons('position', 'Position', 'bottom-right', ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'top', 'bottom'])}
${radioButtons('theme', 'Theme', 'auto', ['auto', 'light', 'dark'])}
<fieldset><legend>Behaviour</legend>
${checkbox('collapsed', 'true', 'Start collapsed')}
${checkbox('show-empty', 'true', 'Show the logo without an announcement')}
${checkbox('analytics', 'off', 'Turn off counting')}
</fieldset>
</form>`;

/**
 * The page on which a site owner chooses how the badge looks, and copies the tag.
 *
 * @param baseUrl public URL of this server, without a trailing slash
 */
export function createDemoPage(
  brand: string,
  baseUrl: string,
  { demoStyle: style, demoScript: script, previewStyle }: PageParts,
): HtmlPage {
  const src = `${baseUrl}/js/${brand}-inject.min.js`;
  const main = html`<h1>One tag, one quiet badge</h1>
<p class="lead">Choose how it looks, then paste one line into your pages.</p>
<div class="workbench">
<div class="view">
<div class="stage"><iframe title="Preview" srcdoc="${previewPage(brand, previewStyle)}" hidden></iframe>
<noscript><img src="images/${brand}-announcement.svg" alt="The current announcement"></noscript></div>
<div class="taken">
<p class="heard" role="status"></p>
<h2>The tag</h2>
<div class="tag">
<pre><code id="tag" data-src="${src}">${`<script src="${src}" async></script>`}</code></pre>
<p><button type="button" id="copy" hidden>Copy</button> <span id="copied" role="status"></span></p>
</div>
${isLocal(baseUrl) ? html`<p id="local">This address works on this computer only. For your site, start the server with <code>--public-url</code> <code>https://badge.example.org</code>, its public address.</p>` : ''}
<p id="plain">The preview and the choices need JavaScript. The tag works as it is.</p>
</div>
</div>
${choiceForm}
</div>
<h2>In a README</h2>
<p>Where no script runs, the current announcement is a picture, in Markdown:</p>
<pre><code>${`[![${brand}](${baseUrl}/images/${brand}-announcement.svg)](${baseUrl}/history)`}</code></pre>
<p>Add <code>?theme=dark</code> for a dark page. As a Shields badge, if shields.io can reach your server:</p>
<pre><code>${`![${brand}](https://img.shields.io/endpoint?url=${encodeURIComponent(`${baseUrl}/content/shields.json`)})`}</code></pre>
<h2>More</h2>
<p>What it costs, the attributes of the tag, custom properties and events are in
<a href="${readHomepage()}/blob/main/docs/embedding.md">the documentation</a>.</p>`;
  const page = { brand, title: 'Demo', path: 'demo', style, script, main } as const;
  return createPage({ ...page, innerStyle: previewStyle, badge: true });
}

/** Whether a URL leads nowhere from another computer. */
function isLocal(url: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** A sample page with the real badge in it. As a string, so that it is escaped again for `srcdoc`. */
function previewPage(brand: string, previewStyle: string): string {
  const lines = Array.from({ length: 11 }, () => html`<i></i>`);
  return `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Preview</title>
<style>${previewStyle}</style></head><body><main aria-labelledby="title"><h1 id="title">Your page</h1>${lines.join('')}</main>
<script src="js/${brand}-inject.min.js" data-analytics="off" async></script></body></html>`;
}

function radioButtons(name: string, legend: string, preset: string, values: readonly string[]): Markup {
  const options = values.map((value) => {
    const checked = value === preset ? ' checked' : '';
    const text = value.charAt(0).toUpperCase() + value.slice(1).replace('-', ' ');
    return html`<label><input type="radio" name="${name}" value="${value}"${checked}><span>${text}</span></label>`;
  });
  return html`<fieldset><legend>${legend}</legend><div class="choices ${name}s">${options}</div></fieldset>`;
}

function checkbox(name: string, value: string, text: string): Markup {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}">${text}</label>`;
}
