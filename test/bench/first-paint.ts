import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../browser/chromium.ts';
import { someText, startEmbedding } from '../browser/embedding.ts';
import { startSite } from '../browser/site.ts';
import { atMost, median, type Report, ratioText, spread, toTable } from './report.ts';

/** A phone on a middling mobile network: bytes per second, and milliseconds per round trip. */
const mobile = { offline: false, downloadThroughput: 200_000, uploadThroughput: 95_000, latency: 150 };

const kinds = ['first', 'largest'] as const;

/**
 * First and largest contentful paint of one page without the badge, with its tag, as a bar, with Plausible's
 * tracker, and, to show that the measure sees what it should, with a stylesheet in the head such as other badges
 * ask for. Cold caches, loads taken in turn.
 */
export async function benchFirstPaint(loads: number): Promise<Report> {
  const embedding = await startEmbedding();
  const plausible = await startPlausible();
  const browser = await launchChromium();
  const style = '<style>body { font: 18px/1.6 serif; max-width: 40em; margin: auto }</style>';
  const blocking = `<link rel="stylesheet" href="${embedding.server.url}/css/typebadge-inject.min.css">`;
  const bar = `<script src="${embedding.server.url}/js/typebadge-inject.min.js" data-position="top"></script>`;
  const variants = [
    { name: 'the page alone', page: { head: style, tag: '' } },
    { name: 'with the tag', page: { head: style } },
    { name: 'with a bar, its tag in the head', page: { head: style + bar, tag: '' } },
    { name: 'with the tracker of Plausible', page: { head: style, tag: plausible.tag } },
    { name: 'with a stylesheet in its head', page: { head: style + blocking } },
  ].map(({ name, page }) => ({
    name,
    url: embedding.put({ ...page, body: someText }),
    paints: { first: [] as number[], largest: [] as number[] },
  }));
  for (let load = 0; load <= loads; load += 1) {
    for (const { url, paints } of variants) {
      const paint = await measurePaint(browser, url);
      if (load > 0) for (const kind of kinds) paints[kind].push(paint[kind]); // the first load warms the browser
    }
  }
  await browser.close();
  await Promise.all([embedding.close(), plausible.close()]);
  const timeOf = (at: number, kind: (typeof kinds)[number]) => median(variants[at]?.paints[kind] ?? []);
  const text = toTable(
    ['', ...kinds.flatMap((kind) => [`${kind} paint, ms`, '± %', 'of alone'])],
    variants.map(({ name, paints }, at) => [
      name,
      ...kinds.flatMap((kind) => {
        const time = timeOf(at, kind);
        return [time.toFixed(0), spread(paints[kind]).toFixed(1), ratioText(time / timeOf(0, kind))];
      }),
    ]),
  );
  const aims = kinds.map((kind) =>
    atMost(`${kind} paint with the tag, of the page alone`, timeOf(1, kind) / timeOf(0, kind), 1.02, '×'),
  );
  return { text, aims };
}

/** Serves Plausible's published tracker with its defaults; it counts page views, and shows nothing. */
async function startPlausible(): Promise<{ tag: string; close(): Promise<void> }> {
  const site = await startSite((_request, { pathname }) =>
    pathname === '/script.js'
      ? { headers: { 'Content-Type': 'text/javascript' }, body: script }
      : { status: 202, headers: { 'Access-Control-Allow-Origin': '*' } },
  );
  const options = { domain: 'example.org', endpoint: `${site.origin}/api/event`, captureOnLocalhost: true };
  const contents = `import { init } from '@plausible-analytics/tracker'; init(${JSON.stringify(options)});`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  return { tag: `<script src="${site.origin}/script.js" defer></script>`, close: site.close };
}

/** Milliseconds. */
async function measurePaint(browser: Browser, url: string): Promise<{ first: number; largest: number }> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', mobile);
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  const paint = await page.evaluate(
    () =>
      new Promise<{ first: number; largest: number }>((resolve) => {
        new PerformanceObserver((list) => {
          const [first] = performance.getEntriesByName('first-contentful-paint');
          const largest = list.getEntries().at(-1);
          resolve({ first: first?.startTime ?? Number.NaN, largest: largest?.startTime ?? Number.NaN });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  await context.close();
  return paint;
}
