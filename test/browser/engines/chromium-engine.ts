import type { Page } from 'playwright-core';
import { chromiumPath, launchChromium } from '../chromium.ts';
import { type EngineKind, fromExpression, type Tab, toExpression } from './engine.ts';

export const chromiumEngine: EngineKind = {
  name: 'Chromium',
  missing: chromiumPath === undefined ? ['chromium'] : [],
  lacks: {},
  async start() {
    const browser = await launchChromium();
    const context = await browser.newContext({ reducedMotion: 'reduce', colorScheme: 'dark' });
    return { tab: toTab(await context.newPage()), close: () => browser.close() };
  },
};

function toTab(page: Page): Tab {
  return {
    go: async (url) => void (await page.goto(url)),
    run: async (task, ...values) => fromExpression(await page.evaluate(toExpression(task, values))),
    clickAt: (x, y) => page.mouse.click(x, y),
    press: (key) => page.keyboard.press(key),
    showAs: ({ colorScheme, forcedColors, print }) =>
      page.emulateMedia({
        colorScheme,
        reducedMotion: 'reduce',
        forcedColors: forcedColors ? 'active' : 'none',
        media: print ? 'print' : 'screen',
      }),
  };
}
