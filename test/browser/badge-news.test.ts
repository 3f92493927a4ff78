import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { contrastOf } from './contrast.ts';
import { partsOf, showAgain, themes, untilState, visit } from './embedding.ts';
import { setUpStage } from './rogue-server.ts';

const severities = ['success', 'warning', 'critical'] as const;

describeInChromium('the right reader gets the right announcement', (browser) => {
  const stage = setUpStage();
  const one = (id: string, more: object = {}) => ({ id, message: `words of ${id}`, ...more });

  test('site × path × language × dismissible × dismissed: 144 cases', async () => {
    const url = stage.put('data-analytics="off" data-show-empty');
    stage.say();
    const { page, complaints } = await visit(browser(), url);
    await untilState(page, 'brand');
    const cases = everyCase(new URL(url));
    expect(cases).toHaveLength(144);
    // Answered inside the page, so that nothing but the badge takes time.
    const seen = await page.evaluate(async (list) => {
      const results: (string | undefined)[] = [];
      for (const { announcement, lang, dismissed, expected: wanted } of list) {
        window.fetch = async () => new Response(JSON.stringify({ announcements: [announcement] }));
        const { id, message, link } = announcement;
        const memory = dismissed ? { [`${id}~${message}${link}`]: ['x', 9e15] } : {};
        localStorage.setItem('typebadge', JSON.stringify(memory));
        window.TypeBadge?.init({ lang, showEmpty: true });
        const look = () => document.querySelector<HTMLElement>('type-badge');
        let left = 5_000;
        const isSettled = () => ['open', 'brand'].includes(look()?.dataset.state ?? '');
        // What was dismissed never appears, so it is given a little while only.
        while (!isSettled() && left > (dismissed && wanted === undefined ? 4_985 : 0)) {
          await new Promise((resolve) => setTimeout(resolve, 2));
          left -= 1;
        }
        const host = look();
        const text = host?.shadowRoot?.querySelector('[part=text]')?.textContent ?? '';
        results.push(host?.dataset.state === 'open' ? text : undefined);
      }
      return results;
    }, cases);
    const wrong = cases.flatMap((each, at) => (seen[at] === each.expected ? [] : [[each, seen[at]]]));
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('the words and signs of levels have contrast in both themes, also on a page’s own colours', async () => {
    const { page } = await visit(browser(), stage.put());
    for (const [background, color] of [
      ['', ''],
      ['#ffe0a0', '#300'],
      ['#102030', '#fff'],
      ['#0a6', '#000'],
    ] as const) {
      await page.evaluate(
        (colours) => {
          for (const [name, value] of Object.entries(colours))
            document.documentElement.style.setProperty(`--typebadge-${name}`, value);
        },
        { background, color },
      );
      for (const theme of themes) {
        for (const severity of severities) {
          stage.say(one('a', { severity }));
          await showAgain(page, { theme });
          expect(await partsOf(page).severity.textContent()).toBe(severity);
          const [word, card, sign, behindSign] = await coloursOf(page);
          const shown = `${severity}, ${theme}, ${background}`;
          expect(contrastOf(word, card), shown).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(sign, behindSign), shown).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });
});

interface Case {
  readonly announcement: typeof lasting;
  readonly lang: string;
  /** Whether the reader dismissed it before. */
  readonly dismissed: boolean;
  /** The words to be seen, or none. */
  readonly expected: string | undefined;
}

/** Every combination, with what a reader of the documentation expects of it. */
function everyCase({ origin, pathname }: URL): Case[] {
  const sites = { this: ['https://a.example', origin], other: ['https://*.example.org'] };
  const paths = { this: [`${pathname.slice(0, 3)}*`], other: ['/elsewhere/*'] };
  const places = [undefined, 'this', 'other'] as const;
  return places.flatMap((site) =>
    places.flatMap((where) =>
      ['en', 'de', 'de-AT', 'fr'].flatMap((lang) =>
        [true, false].flatMap((dismissible) =>
          [true, false].map((dismissed): Case => {
            const audience = {
              ...(site === undefined ? {} : { sites: sites[site] }),
              ...(where === undefined ? {} : { paths: paths[where] }),
            };
            const announcement = {
              ...lasting,
              id: `c-${[site, where, lang, dismissible, dismissed].join('-')}`,
              message: 'Hello',
              translations: { de: { message: 'Hallo' } },
              ...(dismissible ? {} : { dismissible }),
              audience,
            };
            const isMeant = site !== 'other' && where !== 'other';
            const isSeen = isMeant && (!dismissed || !dismissible);
            const words = lang.startsWith('de') ? 'Hallo' : 'Hello';
            return { announcement, lang, dismissed, expected: isSeen ? words : undefined };
          }),
        ),
      ),
    ),
  );
}

/** Of the severity: its word, what is behind it, its sign, and what is behind that. */
function coloursOf(page: Page) {
  return partsOf(page).severity.evaluate((element) => {
    const card = element.closest('aside') as HTMLElement;
    const icon = getComputedStyle(element, '::before');
    return [
      getComputedStyle(element).color,
      getComputedStyle(card).backgroundColor,
      icon.color,
      icon.backgroundColor,
    ] as const;
  });
}

describeInChromium('a reader sees a change at the next view', (browser) => {
  const stage = setUpStage();
  const put = (attributes = 'data-show-empty') => stage.embedding.put({ attributes });
  beforeEach(() => announce('Teh typo'));

  /** Resolves once the server says it. */
  async function announce(message?: string): Promise<void> {
    const announcements = message === undefined ? [] : [{ ...lasting, message }];
    await stage.embedding.server.writeContent('history.json', { announcements });
    const said = async () =>
      String((await send(stage.embedding.server.port, { path: '/content/announcement.json' })).body);
    await expect.poll(said).toContain(message ?? 'NO_ACTIVE_ANNOUNCEMENT');
  }

  const shows = async (page: Page | ReturnType<Page['frameLocator']>, message?: string) => {
    const state = message === undefined ? 'brand' : 'open';
    await page.locator(`type-badge[data-state="${state}"]`).waitFor({ state: 'attached' });
    if (message !== undefined) expect(await page.locator('type-badge a').textContent()).toBe(message);
  };

  test('when it is corrected, withdrawn and back, on a reload and on another page', async () => {
    const { page } = await visit(browser(), put());
    await shows(page, 'Teh typo');
    await announce('The typo, corrected');
    await page.reload();
    await shows(page, 'The typo, corrected');
    await announce(undefined);
    await page.goto(put());
    await shows(page, undefined);
    await announce('The typo, corrected');
    await page.goto(put());
    await shows(page, 'The typo, corrected');
  });

  test('as long as nothing changes, each view only costs headers', async () => {
    const { page } = await visit(browser(), put(''));
    await shows(page, 'Teh typo');
    const session = await page.context().newCDPSession(page);
    const statuses: number[] = [];
    await session.send('Network.enable');
    session.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => {
      if (headers.etag !== undefined || headers.ETag !== undefined) statuses.push(statusCode);
    });
    await page.goto(put(''));
    await shows(page, 'Teh typo');
    await page.waitForLoadState('networkidle');
    expect(statuses).toEqual([304]);
  });
});

const HOUR = 60 * 60 * 1000;
const noon = Date.UTC(2026, 5, 1, 12);
const at = (time: number) => new Date(time).toISOString();

describeInChromium('the badge checks the times of an announcement itself', (browser) => {
  const stage = setUpStage();
  const visitAtNoon = (attributes = 'data-show-empty') =>
    visit(browser(), stage.put(attributes), {}, (page) => page.clock.install({ time: noon }));

  test('one that is over, scheduled, or has no valid times is not shown', async () => {
    const { page, complaints } = await visitAtNoon();
    for (const [what, published, expires, state] of [
      ['expired an hour ago', at(noon - 2 * HOUR), at(noon - HOUR), 'brand'],
      ['expiring this very moment', at(noon - HOUR), at(noon), 'brand'],
      ['current since an hour', at(noon - HOUR), at(noon + HOUR), 'open'],
      ['published in an hour', at(noon + HOUR), at(noon + 2 * HOUR), 'brand'],
      ['no times', undefined, undefined, 'brand'],
      ['times that are none', 'yesterday', 'tomorrow', 'brand'],
      ['numbers', 0, 9e15, 'brand'],
      ['an end before the beginning', at(noon + HOUR), at(noon - HOUR), 'brand'],
    ] as const) {
      stage.say({ published, expires });
      await page.reload();
      await untilState(page, state);
      expect(await partsOf(page).text.isVisible(), what).toBe(state === 'open');
    }
    expect(complaints).toEqual([]);
  });

  test('one that starts while the page is open appears; when it ends, it disappears and gives the focus back', async () => {
    stage.say({ published: at(noon + HOUR), expires: at(noon + 2 * HOUR) });
    const { page } = await visitAtNoon();
    await untilState(page, 'brand');
    await page.clock.fastForward(HOUR + 1000);
    await untilState(page, 'open');
    await page.locator('#last').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('type-badge');
    await page.clock.fastForward(HOUR);
    await untilState(page, 'brand');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('last');
  });

  test('one that ends in a thousand years sets no timer that fires at once', async () => {
    const { page } = await visit(browser(), stage.put(), {}, (newPage) =>
      newPage.addInitScript(() => {
        const delays: unknown[] = [];
        Object.assign(window, { delays });
        const original = window.setTimeout;
        window.setTimeout = ((handler: TimerHandler, delay?: number) => {
          delays.push(delay);
          return original(handler, delay);
        }) as typeof setTimeout;
      }),
    );
    await untilState(page, 'open');
    // A browser takes at most 2^31 - 1 ms and makes 0 of anything longer.
    expect(await page.evaluate(() => (window as unknown as { delays: unknown[] }).delays)).toEqual([
      2 ** 31 - 1,
    ]);
  });
});
