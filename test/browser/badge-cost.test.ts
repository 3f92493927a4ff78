import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';
import { watchLoads } from './page-loads.ts';
import { shiftsOf } from './shifts.ts';

describeInChromium('what the badge costs its page', (browser) => {
  let embedding: Embedding;
  beforeAll(async () => {
    embedding = await startEmbedding();
  });
  afterAll(() => embedding.close());

  test.each([
    ['script', '/js/typebadge-inject.min.js', 3400],
    ['stylesheet', '/css/typebadge-inject.min.css', 1400],
    ['logo', '/images/typebadge-logo.svg', 1200],
  ])('the %s is as small as the documentation says, and never above its limit', async (name, path, most) => {
    const { status, headers, body } = await send(embedding.server.port, {
      path,
      headers: { 'Accept-Encoding': 'br' },
    });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe('br');
    expect(body.length).toBeLessThanOrEqual(most);
    const plain = await send(embedding.server.port, { path, headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.body.toString(), 'a page may name no charset').toMatch(/^\p{ASCII}+$/u);
    const documentation = await readFile('docs/embedding.md', 'utf8');
    const [, told, limit] =
      new RegExp(`^\\| ${name} \\| ([\\d,]+) \\(at most ([\\d,]+)\\)`, 'm').exec(documentation) ?? [];
    const toNumber = (text = '') => Number(text.replaceAll(',', ''));
    expect(toNumber(limit)).toBe(most);
    expect(Math.abs(toNumber(told) / body.length - 1)).toBeLessThan(0.03); // compressors differ by a few bytes
  });

  test('a first view takes three requests and 6,700 bytes, headers included; the next asks only whether the announcement changed', async () => {
    const { page } = await visit(browser(), 'about:blank');
    const loads = await watchLoads(page, embedding.server.url);
    await page.goto(embedding.put({ attributes: 'data-analytics="off"' }));
    await untilState(page, 'open');
    await page.waitForLoadState('networkidle');
    expect(loads.map(({ path }) => path).sort()).toEqual([
      '/content/active.json',
      '/css/typebadge-inject.min.css',
      '/js/typebadge-inject.min.js',
    ]);
    expect(loads.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(6700);

    loads.length = 0;
    await page.goto(embedding.put({ attributes: 'data-analytics="off"' }));
    await untilState(page, 'open');
    await page.waitForLoadState('networkidle');
    const [asked, ...others] = loads.filter(({ bytes }) => bytes > 0);
    expect(others).toEqual([]);
    expect(asked?.path).toBe('/content/active.json');
    expect(asked?.bytes).toBeLessThanOrEqual(600);
  });

  test('counting adds one request without an answer to read; a preloaded stylesheet is used, and loaded once', async () => {
    const href = `${embedding.server.url}/css/typebadge-inject.min.css`;
    const head = `<link rel="preload" as="fetch" crossorigin href="${href}">`;
    const { page } = await visit(browser(), 'about:blank');
    const loads = await watchLoads(page, embedding.server.url);
    await page.goto(embedding.put({ head }));
    await untilState(page, 'open');
    await page.waitForLoadState('networkidle');
    expect(loads.filter(({ path, bytes }) => path.startsWith('/css/') && bytes > 0)).toHaveLength(1);
    expect(loads.filter(({ path }) => path === '/pulse')).toHaveLength(1);
    expect(loads.filter(({ bytes }) => bytes > 0)).toHaveLength(4);
    expect(loads.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(6700);
  });

  const layouts = {
    'a plain page': '',
    'a page in a flex box': '<style>html, body { display: flex; flex-direction: column; gap: 2em }</style>',
    'a page in a grid': '<style>html, body { display: grid; gap: 2em }</style>',
    'a page that spaces its last child': `<style>body > :last-child { margin-top: 3em }
      body * + * { margin-top: 1em } :only-child { padding: 2em }</style>`,
    'a narrow page': '<style>html { width: 200px; margin: auto } main { float: right }</style>',
  };

  test.each(Object.entries(layouts))('%s never shifts, whatever the badge does', async (_what, head) => {
    const { page } = await visit(browser(), embedding.put({ head }), { reducedMotion: 'no-preference' });
    const { toggle, dismiss } = partsOf(page);
    await untilState(page, 'open');
    await page.waitForLoadState('networkidle');
    expect(await shiftsOf(page)).toEqual({ all: 0, ofPage: 0 });
    await toggle.click();
    await toggle.click();
    await page.evaluate(() => window.TypeBadge?.init({ position: 'top-left', collapsed: true }));
    await untilState(page, 'collapsed');
    await toggle.click();
    await dismiss.click();
    await untilState(page, 'hidden');
    // What the reader's own click moves inside the badge is no shift of the page.
    expect((await shiftsOf(page)).ofPage).toBe(0);
    // The same measure does see a shift where there is one.
    await page.evaluate(() =>
      document.body.prepend(Object.assign(document.createElement('h2'), { textContent: 'Hi' })),
    );
    await expect.poll(async () => (await shiftsOf(page)).ofPage).toBeGreaterThan(0);
  });

  test('none of its tasks is long: 50 ms of processor time', async () => {
    const { page } = await visit(browser(), 'about:blank');
    await browser().startTracing(page, { categories: ['devtools.timeline'] });
    await page.goto(embedding.put());
    await untilState(page, 'open');
    await partsOf(page).toggle.click();
    await untilState(page, 'collapsed');
    await partsOf(page).dismiss.isHidden();
    const { traceEvents } = JSON.parse((await browser().stopTracing()).toString()) as {
      traceEvents: TraceEvent[];
    };
    const ours = traceEvents.filter(({ args }) => args.data?.url?.includes('-inject.min.js'));
    const runs = ours.filter(({ name }) => name === 'EvaluateScript' || name === 'FunctionCall');
    expect(runs.map(({ name }) => name)).toEqual(expect.arrayContaining(['EvaluateScript', 'FunctionCall']));
    // Time of the thread, not of the clock: a busy machine makes no difference.
    expect(Math.max(...runs.map(({ tdur = Number.NaN }) => tdur / 1000))).toBeLessThan(50);
  });
});

interface TraceEvent {
  readonly name: string;
  /** Microseconds of the processor. */
  readonly tdur?: number;
  readonly args: { readonly data?: { readonly url?: string } };
}
