import { expect, test } from 'vitest';
import { toResultCard } from '../../src/cli/commands/stats/result-card.ts';
import type { ProgressReport } from '../../src/tui/trend/report.ts';
import { historyApp } from '../tui/screens/sample.ts';
import { describeInChromium } from './chromium.ts';

const report = historyApp().report as ProgressReport;
const kind = report.kind as NonNullable<ProgressReport['kind']>;

/** The widest figures that there can be, and a name that would be markup if it were not escaped. */
const widest: ProgressReport = {
  ...report,
  kind: { ...kind, mode: '<script>alert(1)</script>"&\'', bestWpm: 350, runs: 99_999 },
  band: report.band.map((day) => ({
    ...day,
    speed: { median: 349.6, low: 345, high: 350 },
    accuracy: { median: 100, low: null, high: null },
  })),
};

describeInChromium('the result card in Chromium', (browser) => {
  test.each([
    ['usual figures', report],
    ['the widest figures and a hostile name', widest],
    ['one round', { ...report, band: report.band.slice(0, 1), days: report.days.slice(0, 1) }],
  ])('with %s: nothing is requested or run, and no texts overlap', async (_, shown) => {
    const page = await browser().newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('dialog', () => expect.fail('the card ran a script'));
    await page.setContent(`<body>${toResultCard(shown, 'dark')}</body>`);
    const boxes = await page.locator('svg text').evaluateAll((texts) =>
      texts.map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return { text: text.textContent ?? '', left, right, top, bottom };
      }),
    );
    // A line box is higher than its letters: a fifth of it, above and below, is empty.
    const overlaps = boxes.flatMap((a, at) =>
      boxes
        .slice(at + 1)
        .filter((b) => {
          const [spareA, spareB] = [(a.bottom - a.top) / 5, (b.bottom - b.top) / 5];
          const isBeside = a.right <= b.left || b.right <= a.left;
          return !isBeside && a.top + spareA < b.bottom - spareB && b.top + spareB < a.bottom - spareA;
        })
        .map((b) => `${a.text} | ${b.text}`),
    );
    expect(overlaps).toEqual([]);
    const svg = await page.locator('svg').boundingBox();
    expect(boxes.filter(({ right }) => right > (svg?.x ?? 0) + (svg?.width ?? 0) - 20)).toEqual([]);
    expect(await page.locator('svg script').count()).toBe(0);
    expect(asked).toEqual([]);
    await page.close();
  });

  test('is well-formed XML that follows the reader’s light or dark mode', async () => {
    for (const [colorScheme, colour] of [
      ['dark', 'rgb(13, 17, 23)'],
      ['light', 'rgb(255, 255, 255)'],
    ] as const) {
      const page = await browser().newPage({ colorScheme });
      const source = Buffer.from(toResultCard(widest, 'auto') ?? '').toString('base64');
      await page.goto(`data:image/svg+xml;base64,${source}`);
      expect(await page.locator('parsererror').count()).toBe(0);
      const fill = await page.locator('rect').evaluate((rect) => getComputedStyle(rect).fill);
      expect(fill).toBe(colour);
      await page.close();
    }
  });
});

test('one day is a mark with its interval, and no line that would look like a trend', () => {
  const [day] = report.band as [ProgressReport['band'][number]];
  const draw = (low: number | null, high: number | null) =>
    toResultCard(
      { ...report, band: [{ ...day, speed: { median: 80, low, high } }], days: report.days.slice(0, 1) },
      'light',
    ) ?? '';
  const certain = draw(70, 90);
  expect(certain).not.toMatch(/<poly/);
  expect(certain.match(/<circle /g)).toHaveLength(1);
  expect(certain).toMatch(/<rect class="band" x="348" y="208.0" width="24" height="94.0"\/>/);
  expect(draw(null, null)).not.toMatch(/<poly|class="band" /);
});

test('a history without counted rounds has no card', () => {
  expect(toResultCard({ ...report, kind: undefined, band: [] }, 'light')).toBeUndefined();
});
