import { expect, test } from 'vitest';
import { resultCard } from '../../src/cli/commands/stats/result-card.ts';
import type { ProgressReport } from '../../src/tui/progress/report.ts';
import { historyState } from '../tui/screens/sample.ts';
import { describeInChromium } from './chromium.ts';

const report = historyState().report as ProgressReport;
const kind = report.kind as NonNullable<ProgressReport['kind']>;

/** The widest figures that there can be, and a name that would be markup if it were not escaped. */
const widest: ProgressReport = {
  ...report,
  kind: { ...kind, mode: '<script>alert(1)</script>"&\'', bestWpm: 350, runs: 99_999 },
  band: report.band.map((day) => ({
    ...day,
    speed: { median: 349.6 },
    accuracy: { median: 100 },
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
    await page.setContent(`<body>${resultCard(shown)}</body>`);
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
      const source = Buffer.from(resultCard(widest) ?? '').toString('base64');
      await page.goto(`data:image/svg+xml;base64,${source}`);
      expect(await page.locator('parsererror').count()).toBe(0);
      const fill = await page.locator('rect').evaluate((rect) => getComputedStyle(rect).fill);
      expect(fill).toBe(colour);
      await page.close();
    }
  });
});

test('one day is a mark, and no line that would look like a trend', () => {
  const card = resultCard({ ...report, band: report.band.slice(0, 1), days: report.days.slice(0, 1) });
  expect(card).not.toMatch(/<poly/);
  expect(card?.match(/<circle /g)).toHaveLength(1);
});
