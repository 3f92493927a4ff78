import { choiceForm } from './demo-choices.ts';
import { reference } from './demo-reference.ts';
import { html, type Markup } from './html.ts';
import { createPage, type HtmlPage } from './page.ts';

/** Bytes of a body, uncompressed and in the two codings. */
export interface Weight {
  readonly identity: number;
  readonly gzip: number;
  readonly br: number;
}

export interface DemoPageOptions {
  readonly brand: string;
  /** Public URL of this server, without a trailing slash. */
  readonly baseUrl: string;
  readonly weights: Readonly<Record<'script' | 'style' | 'logo' | 'announcement', Weight>>;
  readonly style: string;
  readonly previewStyle: string;
  readonly script: string;
}

/** The page on which a site owner chooses how the badge looks, and copies the tag. */
export function createDemoPage({ brand, baseUrl, weights, ...texts }: DemoPageOptions): HtmlPage {
  const { style, previewStyle, script } = texts;
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
<pre><code id="tag" data-src="${src}">${`<script src="${src}" defer></script>`}</code></pre>
<p><button type="button" id="copy" hidden>Copy</button> <span id="copied" role="status"></span></p>
</div>
${isLocal(baseUrl) ? html`<p id="local">This address works on this computer only. For your site, start the server with <code>--public-url https://badge.example.org</code>, its own address.</p>` : ''}
<p id="plain">The preview and the choices need JavaScript. The tag works as it is, and the lists at the end of this page
say what can be added to it.</p>
</div>
</div>
${choiceForm}
</div>
<h2>In a README or an email</h2>
<p>Where no script runs, the current announcement is a picture, in Markdown:</p>
<pre><code>${`[![${brand}](${baseUrl}/images/${brand}-announcement.svg)](${baseUrl}/history)`}</code></pre>
<p>Add <code>?theme=dark</code> for a dark page. As a badge of Shields, in public repositories:</p>
<pre><code>${`![${brand}](https://img.shields.io/endpoint?url=${encodeURIComponent(`${baseUrl}/content/shields.json`)})`}</code></pre>
<h2>What it costs</h2>
${costTable(weights)}
<p>The badge starts when your page has loaded, so it holds up neither the first paint nor the load event. From
the second view on, script, stylesheet and logo come from the browser’s cache.</p>
${reference}`;
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
<script src="js/${brand}-inject.min.js" data-analytics="off" defer></script></body></html>`;
}

/** With commas between thousands. Not by Intl: loading its data takes a tenth of the server's start. */
const inDigits = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

function costTable({ script, style, logo, announcement }: DemoPageOptions['weights']): Markup {
  const rows = [
    { name: 'Script', weight: script },
    { name: 'Stylesheet', weight: style },
    { name: 'Logo', weight: logo },
    { name: 'Announcement', weight: announcement },
  ];
  const codings = ['br', 'gzip', 'identity'] as const;
  const total = (coding: keyof Weight) => rows.reduce((sum, { weight }) => sum + weight[coding], 0);
  return html`<table>
<caption>Bytes of a first view, in four requests</caption>
<thead><tr><th scope="col">File</th><th scope="col">Brotli</th><th scope="col">Gzip</th><th scope="col">Plain</th></tr></thead>
<tbody>
${rows.map(
  ({
    name,
    weight,
  }) => html`<tr><th scope="row">${name}</th>${codings.map((coding) => html`<td>${inDigits(weight[coding])}</td>`)}</tr>
`,
)}</tbody>
<tfoot><tr><th scope="row">Total</th>${codings.map((coding) => html`<td>${inDigits(total(coding))}</td>`)}</tr></tfoot>
</table>`;
}
