import type { OutgoingHttpHeaders } from 'node:http';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type {} from '../../content/badge/inject.ts'; // what the script adds to window
import type { BadgeOptions } from '../../content/badge/options.ts';
import {
  highLimits,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../support/test-server.ts';
import { type Site, type SiteReply, startSite } from './site.ts';

/** What a page that embeds the badge is made of. */
export interface HostPage {
  /** Attributes of the tag, such as `data-theme="dark"`. */
  readonly attributes?: string;
  /** Instead of the whole tag. */
  readonly tag?: string;
  readonly html?: string;
  readonly head?: string;
  readonly body?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** A badge server and somebody else's web site, on another origin, that embeds its badge. */
export interface Embedding {
  readonly server: TestServer;
  readonly site: Site;
  /** Puts a page on the site and gives its address. */
  put(page?: HostPage): string;
  /** The documented tag. */
  tag(attributes?: string): string;
  close(): Promise<void>;
}

export async function startEmbedding(options: TestServerOptions = {}): Promise<Embedding> {
  const server = await startTestServer({ badgeLimits: highLimits, ...options });
  const pages = new Map<string, SiteReply>([['/favicon.ico', { status: 204 }]]);
  const site = await startSite((_request, { pathname }) => pages.get(pathname));
  const brand = options.brand ?? 'typebadge';
  const tag = (attributes = '') =>
    `<script src="${server.url}/js/${brand}-inject.min.js" ${attributes} async></script>`;
  return {
    server,
    site,
    tag,
    put({ attributes, tag: wholeTag = tag(attributes), headers = {}, ...parts } = {}) {
      const path = `/page-${pages.size + 1}`;
      pages.set(path, { headers, body: toDocument(wholeTag, parts) });
      return site.origin + path;
    },
    async close() {
      await site.close();
      await server.close();
    },
  };
}

function toDocument(tag: string, { html = 'lang="en"', head = '', body = someText }: HostPage): string {
  return `<!doctype html><html ${html}><head><meta charset="utf-8"><title>Field notes</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}</head><body>${body}${tag}</body></html>`;
}

/** A page with something to read, to fill in and to follow, long enough to scroll. */
export const someText = `<main><h1>Field notes</h1><p><a id="first" href="#field">To the form</a></p>
${'<p>Clouds that tower before noon bring rain before night.</p>'.repeat(30)}
<label>Name <input id="field"></label> <a id="last" href="#first">To the top</a></main>`;

export interface Visit {
  readonly page: Page;
  /** Errors and warnings in the page's console, and errors nobody caught. */
  readonly complaints: string[];
  /** What the badge itself logged. */
  readonly murmurs: string[];
}

/** Opens a page in a browser profile of its own, for as long as the test runs. Motion is off unless asked for. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  const murmurs: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (entry) => {
    const text = entry.text();
    if (text.startsWith('typebadge:')) murmurs.push(text);
    else if (['error', 'warning'].includes(entry.type())) complaints.push(text);
  });
  await prepare(page);
  await page.goto(url);
  return { page, complaints, murmurs };
}

/** Waits until the badge is in a state: `open`, `collapsed`, `brand` or `hidden`. */
export async function untilState(page: Page | Frame, state: string): Promise<void> {
  await page.locator(`type-badge[data-state="${state}"]`).waitFor({ state: 'attached' });
}

/** Waits until the badge has had all that it could wait for: what the page itself asks one after the other is answered later. */
export async function untilSettled(page: Page | Frame): Promise<void> {
  await page.waitForLoadState();
  await page.evaluate(async (path) => {
    const { src } = document.querySelector('script[src*=inject]') as HTMLScriptElement;
    for (let times = 0; times < 4; times += 1)
      await fetch(new URL(path, src), { cache: 'no-store' }).then((reply) => reply.text());
  }, '/css/typebadge-inject.min.css');
}

/** Waits until the badge could be there, and is not to be seen. */
export async function untilNothing(page: Page | Frame): Promise<void> {
  await untilSettled(page);
  await partsOf(page).card.waitFor({ state: 'hidden' });
  expect(await partsOf(page).card.isVisible()).toBe(false);
}

export const positions = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const;
export const themes = ['light', 'dark'] as const;

/** A message as long as the server takes one. */
export const longest = 'Registration for the summer school on mountain weather is open. '
  .repeat(5)
  .slice(0, 280);

/** Shows the badge again, with other options and no memory of the reader. */
export async function showAgain(page: Page, options: BadgeOptions): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.clear();
    window.TypeBadge?.init(chosen);
  }, options);
  await untilState(page, options.collapsed ? 'collapsed' : 'open');
}

/** The parts of the badge, by what a reader would call them. */
export function partsOf(page: Page | Frame) {
  const badge = page.locator('type-badge');
  return {
    host: badge,
    card: badge.locator('aside'),
    logo: badge.locator('[part=logo]'),
    words: badge.locator('[part=words]'),
    text: badge.locator('[part=text]'),
    links: badge.locator('[part=links] a'),
    more: badge.locator('[part=more]'),
    severity: badge.locator('[part=severity]'),
    lead: badge.locator('[part=lead]'),
    toggle: badge.locator('[part=toggle]'),
    dismiss: badge.locator('[part=dismiss]'),
  };
}
