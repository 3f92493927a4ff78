import type { Browser, Page } from 'playwright-core';
import { type Embedding, untilState } from '../browser/embedding.ts';
import { type Load, watchLoads } from '../browser/page-loads.ts';
import { type Report, toCount, toTable } from './report.ts';

/** What a reader's first view of a page with the badge asks of its server, and what each view after it. Nothing is counted. */
export async function measureViewBytes(browser: Browser, embedding: Embedding): Promise<Report> {
  const page = await browser.newPage();
  const loads = await watchLoads(page, embedding.server.url);
  const cold = await view(page, embedding, loads);
  const warm = await view(page, embedding, loads);
  await page.close();
  const toRow = (name: string, sizes: readonly number[]) => [name, `${sizes.length}`, toCount(sumOf(sizes))];
  return {
    text: toTable(['', 'requests', 'bytes'], [toRow('a first view', cold), toRow('a view after it', warm)]),
    aims: [
      { what: 'bytes of a first view, headers included', value: sumOf(cold), unit: 'bytes', atMost: 6700 },
      { what: 'bytes of a view after it', value: sumOf(warm), unit: 'bytes', atMost: 600 },
    ],
  };
}

/** The bytes of each request that left the browser. */
async function view(page: Page, embedding: Embedding, loads: Load[]): Promise<number[]> {
  loads.length = 0;
  await page.goto(embedding.put({ attributes: 'data-analytics="off"' }));
  await untilState(page, 'open');
  await page.waitForLoadState('networkidle');
  return loads.map(({ bytes }) => bytes).filter((bytes) => bytes > 0);
}

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, bytes) => sum + bytes, 0);
