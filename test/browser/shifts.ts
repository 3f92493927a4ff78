import type { Page } from 'playwright-core';

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** The layout shifts so far, also those right after a click: their sum, and of those that moved the page. */
export function shiftsOf(page: Page): Promise<{ all: number; ofPage: number }> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const sum = { all: 0, ofPage: 0 };
        const observer = new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries() as LayoutShift[]) {
            sum.all += value;
            if (sources.some(({ node }) => document.body.contains(node))) sum.ofPage += value;
          }
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // What was buffered is told in a task of its own, after the next frame.
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 50));
      }),
  );
}
