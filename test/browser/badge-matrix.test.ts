import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, startEmbedding, untilState, visit } from './embedding.ts';
import { announcementPath, startRogueServer, toJson, toTag } from './rogue-server.ts';
import type { Site } from './site.ts';

interface Case {
  readonly announcements: readonly Record<string, unknown>[];
  readonly lang: string;
  /** The words that are dismissed before. */
  readonly dismissed: boolean;
  /** The words to be seen, or none. */
  readonly expected: string | undefined;
}

const siteCases = [undefined, 'this', 'other'] as const;
const pathCases = [undefined, 'this', 'other'] as const;
const languages = ['en', 'de', 'de-AT', 'fr'] as const;
const severities = [undefined, 'success', 'warning', 'critical'] as const;

/** Every combination, with what a reader of the documentation expects of it. */
function everyCase(origin: string, path: string): Case[] {
  const sites = { this: ['https://a.example', origin], other: ['https://*.example.org'] };
  const paths = { this: [`${path.slice(0, 3)}*`], other: ['/elsewhere/*'] };
  return siteCases.flatMap((site) =>
    pathCases.flatMap((where) =>
      languages.flatMap((lang) =>
        severities.flatMap((severity) =>
          [true, false].flatMap((dismissible) =>
            [true, false].map((dismissed): Case => {
              const audience = {
                ...(site === undefined ? {} : { sites: sites[site] }),
                ...(where === undefined ? {} : { paths: paths[where] }),
              };
              const isMeant = site !== 'other' && where !== 'other';
              const isSeen = isMeant && (!dismissed || !dismissible);
              const words = lang.startsWith('de') ? 'Hallo' : 'Hello';
              return {
                announcements: [
                  {
                    ...lasting,
                    id: `c-${[site, where, lang, severity, dismissible, dismissed].join('-')}`,
                    message: 'Hello',
                    translations: { de: { message: 'Hallo' } },
                    ...(severity === undefined ? {} : { severity }),
                    ...(dismissible ? {} : { dismissible }),
                    audience,
                  },
                ],
                lang,
                dismissed,
                expected: isSeen ? words : undefined,
              };
            }),
          ),
        ),
      ),
    ),
  );
}

describeInChromium('who sees what, in one page', (browser) => {
  let embedding: Embedding;
  let rogue: Site;
  let announcements: readonly unknown[] = [];
  beforeAll(async () => {
    embedding = await startEmbedding();
    rogue = await startRogueServer((_request, { pathname }) =>
      pathname === announcementPath ? toJson({ announcements }) : undefined,
    );
  });
  afterAll(async () => {
    await embedding.close();
    await rogue.close();
  });

  test('site × path × language × severity × dismissible × dismissed: 576 cases', async () => {
    const url = embedding.put({ tag: toTag(rogue, 'data-analytics="off" data-show-empty') });
    const { page, complaints } = await visit(browser(), url);
    await untilState(page, 'brand');
    const { origin, pathname } = new URL(url);
    const cases = everyCase(origin, pathname);
    expect(cases).toHaveLength(576);
    // Answered inside the page, so that nothing but the badge takes time.
    const seen = await page.evaluate(async (list) => {
      const results: (string | undefined)[] = [];
      for (const { announcements: active, lang, dismissed, expected: wanted } of list) {
        window.fetch = async () => new Response(JSON.stringify({ announcements: active }));
        const [{ id, message, link } = {}] = active as { id?: string; message?: string; link?: string }[];
        const memory = dismissed ? { [`${id}~${message}${link}`]: ['x', 9e15] } : {};
        localStorage.setItem('typebadge', JSON.stringify(memory));
        window.TypeBadge?.init({ lang, showEmpty: true });
        const look = () => document.querySelector<HTMLElement>('type-badge');
        let left = 5_000;
        const isSettled = () => ['open', 'brand'].includes(look()?.dataset.state ?? '');
        // What was dismissed never appears, so it is given a little while only.
        while (!isSettled() && left > (dismissed && wanted === undefined ? 4_970 : 0)) {
          await new Promise((resolve) => setTimeout(resolve, 2));
          left -= 1;
        }
        const host = look();
        const text = host?.shadowRoot?.querySelector('[part=text]')?.textContent ?? '';
        results.push(host?.dataset.state === 'open' ? text : undefined);
      }
      return results;
    }, cases);
    const wrong = cases.flatMap((one, at) => (seen[at] === one.expected ? [] : [[one, seen[at]]]));
    expect(wrong).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('500 hostile announcements at once are handled in a moment, and the right one is shown', async () => {
    const bomb = `/${'*a'.repeat(127)}b`;
    const hostile = Array.from({ length: 500 }, (_, at) => ({
      ...lasting,
      id: `h-${at}`,
      message: [
        '<script>pwned=1</script>',
        '\u202e\u2066backwards',
        'x'.repeat(5_000),
        '"><img onerror=pwned=1>',
      ][at % 4],
      severity: '"><b>',
      linkLabel: '<i>'.repeat(50),
      audience: { paths: Array(20).fill(bomb), sites: ['*', '*'.repeat(300)] },
      translations: { '<b>': { message: '<script>' }, __proto__: { message: 'x' } },
    }));
    announcements = [...hostile, { ...lasting, id: 'good', message: 'The good one' }];
    const path = `/${'a'.repeat(2_000)}`;
    const { page, complaints } = await visit(browser(), embedding.put({ tag: toTag(rogue) }));
    await page.evaluate((to) => history.replaceState(null, '', to), path);
    await page.getByText('The good one').waitFor();
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
    expect(complaints).toEqual([]);
  });
});
