import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../browser/chromium.ts';
import { type Embedding, someText, startEmbedding } from '../browser/embedding.ts';
import { type Report, toRatio, toTable } from './report.ts';
import { median, spread } from './statistics.ts';

interface Paint {
  /** First contentful paint, milliseconds. */
  readonly first: number;
  /** Largest contentful paint, milliseconds. */
  readonly largest: number;
}

/** A phone on a middling mobile network: bytes per second, and milliseconds per round trip. */
const mobile = { offline: false, downloadThroughput: 200_000, uploadThroughput: 95_000, latency: 150 };

/**
 * First and largest contentful paint of one page without the badge, with its tag, and, to show that the measure
 * sees what it should, with a stylesheet in the head such as other badges ask for. Cold caches, loads taken in
 * turn.
 */
export async function benchFirstPaint(loads: number): Promise<Report> {
  const embedding = await startEmbedding();
  const browser = await launchChromium();
  const blocking = `<link rel="stylesheet" href="${embedding.server.url}/css/typebadge-inject.min.css">`;
  const variants = [
    { name: 'the page alone', url: putPage(embedding, { tag: '' }), paints: [] as Paint[] },
    { name: 'with the tag', url: putPage(embedding, {}), paints: [] as Paint[] },
    {
      name: 'with a stylesheet in its head',
      url: putPage(embedding, { head: blocking }),
      paints: [] as Paint[],
    },
  ];
  for (let load = 0; load <= loads; load += 1) {
    for (const { url, paints } of variants) {
      const paint = await measurePaint(browser, url);
      if (load > 0) paints.push(paint); // the first load warms the browser
    }
  }
  await browser.close();
  await embedding.close();
  const timeOf = (at: number, kind: keyof Paint) =>
    median((variants[at]?.paints ?? []).map((paint) => paint[kind]));
  const text = toTable(
    ['', 'first paint, ms', '± %', 'of alone', 'largest paint, ms', '± %', 'of alone'],
    variants.map(({ name, paints }, at) => [
      name,
      ...(['first', 'largest'] as const).flatMap((kind) => {
        const times = paints.map((paint) => paint[kind]);
        const time = timeOf(at, kind);
        return [time.toFixed(0), spread(times).toFixed(1), toRatio(time / timeOf(0, kind))];
      }),
    ]),
  );
  const aim = (what: string, kind: keyof Paint) => ({
    what,
    value: timeOf(1, kind) / timeOf(0, kind),
    unit: '×',
    atMost: 1.02,
  });
  return {
    text,
    aims: [
      aim('first paint with the tag, of the page alone', 'first'),
      aim('largest paint with the tag, of the page alone', 'largest'),
    ],
  };
}

function putPage({ put }: Embedding, page: { tag?: string; head?: string }): string {
  const style = '<style>body { font: 18px/1.6 serif; max-width: 40em; margin: auto }</style>';
  return put({ ...page, head: style + (page.head ?? ''), body: someText });
}

async function measurePaint(browser: Browser, url: string): Promise<Paint> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', mobile);
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  const paint = await readPaint(page);
  await context.close();
  return paint;
}

function readPaint(page: Page): Promise<Paint> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => {
          const [first] = performance.getEntriesByName('first-contentful-paint');
          const largest = list.getEntries().at(-1);
          resolve({ first: first?.startTime ?? Number.NaN, largest: largest?.startTime ?? Number.NaN });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}
