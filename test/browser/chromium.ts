import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb', // colours read from a screenshot are then the colours of the stylesheet
];

const { CHROMIUM_PATH, TYPEBADGE_REQUIRE_BROWSER } = process.env;

/** Where Chromium is, or `undefined`: at `CHROMIUM_PATH` if that is set, else in one of the usual places. */
export const chromiumPath = (CHROMIUM_PATH ? [CHROMIUM_PATH] : USUAL_PLACES).find((path) => existsSync(path));

/** True where a missing Chromium is a failure instead of a reason to leave tests out. */
const chromiumRequired = TYPEBADGE_REQUIRE_BROWSER === '1';

/** Starts Chromium with flags beside the usual ones, and without some that Playwright would set by itself. */
export function launchChromium(
  flags: readonly string[] = [],
  without: readonly string[] = [],
): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium found; CHROMIUM_PATH may name one');
  const args = [...FLAGS, ...flags];
  return chromium.launch({ executablePath: chromiumPath, args, ignoreDefaultArgs: [...without] });
}

/** What all suites of this process use that need no flags of their own; it ends with the process. */
let shared: Promise<Browser> | undefined;

/**
 * A suite with a Chromium for all its tests. Suites without flags share one; with flags, it is started before the
 * first test and closed after the last. Without a Chromium on this machine the suite is left out, and says so; with
 * `TYPEBADGE_REQUIRE_BROWSER=1` it fails instead.
 */
export function describeInChromium(
  title: string,
  suite: (browser: () => Browser) => void,
  flags: readonly string[] = [],
  without: readonly string[] = [],
): void {
  if (chromiumPath === undefined) {
    leaveOut(title);
    return;
  }
  const isShared = flags.length + without.length === 0;
  describe(title, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      if (isShared) shared ??= launchChromium();
      browser = await (isShared ? shared : launchChromium(flags, without));
    });
    afterAll(() => (isShared ? undefined : browser?.close()));
    suite(() => {
      if (browser === undefined) throw new Error('Chromium runs only while tests do');
      return browser;
    });
  });
}

function leaveOut(title: string): void {
  if (chromiumRequired) {
    test(title, () => expect.fail('Chromium is required (TYPEBADGE_REQUIRE_BROWSER=1) and was not found'));
    return;
  }
  console.warn(`left out, no Chromium found (CHROMIUM_PATH may name one): ${title}`);
  describe.skip(title, () => {
    test('needs Chromium', () => expect.fail('never runs'));
  });
}
