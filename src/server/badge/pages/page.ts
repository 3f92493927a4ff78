import { readFile } from 'node:fs/promises';
import { packageFile } from '../../../kit/package-files.ts';
import { hashSource } from '../../http/errors.ts';
import { html, type Markup, safe } from './html.ts';

export interface HtmlPage {
  readonly html: string;
  readonly policy: string;
}

export interface PageOptions {
  readonly brand: string;
  readonly title: string;
  readonly path: 'demo' | 'history';
  /** Our own CSS and JavaScript, inserted unescaped. */
  readonly style: string;
  readonly script?: string;
  readonly innerStyle?: string;
  readonly badge?: boolean;
  readonly main: Markup;
}

/** The layout of all pages: head, navigation, main. URLs are relative, so that it works below any path. */
export function createPage(options: PageOptions): HtmlPage {
  const { brand, title, path, style, script, main } = options;
  const links = [
    { href: 'demo', text: 'Demo' },
    { href: 'history', text: 'Announcements' },
  ];
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${brand}</title>
<link rel="icon" href="images/${brand}-logo.svg" type="image/svg+xml">
<link rel="alternate" href="feed.atom" type="application/atom+xml" title="Announcements (Atom)">
<link rel="alternate" href="feed.json" type="application/feed+json" title="Announcements (JSON Feed)">
<style>${safe(style)}</style>
</head>
<body>
<header>
<div class="brand"><img src="images/${brand}-logo.svg" width="32" height="32" alt="">${brand}</div>
<nav aria-label="Pages"><ul>
${links.map(({ href, text }) => html`<li><a href="${href}"${href === path ? html` aria-current="page"` : ''}>${text}</a></li>`)}
</ul></nav>
</header>
<main>
${main}
</main>
${script === undefined ? '' : html`<script>${safe(script)}</script>`}
</body>
</html>
`;
  return { html: page.toString(), policy: policyOf(options) };
}

function policyOf({ style, script, innerStyle, badge = false }: PageOptions): string {
  const own = badge ? ["'self'"] : [];
  const sources = (...texts: readonly (string | undefined)[]) =>
    [...own, ...texts.filter((text) => text !== undefined).map(hashSource)].join(' ') || "'none'";
  return [
    `default-src 'none'; style-src ${sources(style, innerStyle)}; script-src ${sources(script)}`,
    `connect-src ${sources()}; img-src 'self'; base-uri 'none'; form-action 'none'`,
    "frame-ancestors 'none'; require-trusted-types-for 'script'",
  ].join('; ');
}

export type PageParts = Awaited<ReturnType<typeof readPageParts>>;

export async function readPageParts() {
  const read = (name: string) => readFile(packageFile('dist', 'pages', name), 'utf8');
  return {
    demoStyle: await read('demo.css'),
    demoScript: await read('demo.js'),
    previewStyle: await read('preview.css'),
    historyStyle: await read('history.css'),
    historyScript: await read('history.js'),
  };
}
