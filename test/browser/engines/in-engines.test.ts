import axe from 'axe-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newEditors } from '../../support/editors.ts';
import { lasting, startTestServer } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { contrastOf } from '../contrast.ts';
import { type Embedding, type HostPage, longest, startEmbedding } from '../embedding.ts';
import { clickPart, isSeen, untilBadge, viewBadge } from './badge-view.ts';
import { describeInEngines } from './describe-in-engines.ts';
import type { Media, Tab } from './engine.ts';

const light = 'rgb(255, 255, 255)';
const dark = 'rgb(28, 33, 44)';
const arabic = 'سيتم إيقاف الخدمة مؤقتًا للصيانة مساء يوم الجمعة.';

/** An announcement of which the message is its id, and that lets others be active with it. */
const saying = (id: string, more: object = {}) => ({ ...lasting, id, message: id, alongside: true, ...more });

describeInEngines('the badge and the page for editors', (tab, testWith) => {
  /** Opens a page with the badge. Server and site are new, so that the engine remembers and caches nothing of them. */
  async function open(announcements: object[], page?: HostPage): Promise<Embedding> {
    const embedding = await startEmbedding({ files: { 'history.json': { announcements } } });
    onTestFinished(() => embedding.close());
    await tab().go(embedding.put(page));
    return embedding;
  }

  async function showAs(media: Partial<Media>): Promise<void> {
    const usual: Media = { colorScheme: 'dark', forcedColors: false, print: false };
    onTestFinished(() => tab().showAs(usual));
    await tab().showAs({ ...usual, ...media });
  }

  test('shows the announcement in its corner, as a link in a named landmark', async () => {
    await open([lasting], { attributes: 'data-position="top-left"' });
    const { card, text, logo, toggle, dismiss } = await untilBadge(tab(), 'open');
    expect(card.ariaLabel).toBe('Announcement');
    expect(text).toMatchObject({ text: lasting.message, attributes: { href: lasting.link } });
    expect([toggle.ariaLabel, dismiss.ariaLabel]).toEqual(['Announcement', 'Dismiss']);
    expect([card.box.x, card.box.y].map(Math.round)).toEqual([14, 14]);
    expect(card.background, 'the theme of the system').toBe(dark);
    for (const part of [logo, toggle, dismiss]) expect(part.box.width).toBeGreaterThanOrEqual(24);
  });

  test('collapses and opens, and remembers both', async () => {
    await open([lasting]);
    await untilBadge(tab(), 'open');
    await clickPart(tab(), 'toggle');
    await untilBadge(tab(), 'collapsed');
    await reload(tab());
    const { text, dismiss } = await untilBadge(tab(), 'collapsed');
    expect([text, dismiss].some(isSeen)).toBe(false);
    await clickPart(tab(), 'toggle');
    await untilBadge(tab(), 'open');
    await reload(tab());
    await untilBadge(tab(), 'open');
  });

  test('is dismissed for good, and the next announcement takes its place', async () => {
    await open([saying('second'), saying('first', { severity: 'critical' })]);
    expect((await untilBadge(tab(), 'open')).text.text).toBe('first');
    await clickPart(tab(), 'dismiss');
    await until(async () => (await viewBadge(tab())).text.text === 'second');
    await reload(tab());
    expect((await untilBadge(tab(), 'open')).text.text).toBe('second');
    await clickPart(tab(), 'dismiss');
    await untilBadge(tab(), 'hidden');
    await reload(tab());
    await untilAsked(tab());
    expect(isSeen((await viewBadge(tab())).card)).toBe(false);
  });

  test('speaks the language of the page, or that of its tag', async () => {
    const translations = { de: { message: 'Hallo' }, 'de-AT': { message: 'Servus' } };
    const announcement = saying('hello', { translations, severity: 'warning' });
    const embedding = await open([announcement], { html: 'lang="de-at"' });
    const austrian = await untilBadge(tab(), 'open');
    expect([austrian.text.text, austrian.message.attributes.lang]).toEqual(['Servus', 'de-AT']);
    expect(austrian.severity.text).toBe('Warnung');
    await tab().go(embedding.put({ html: 'lang="fr"' }));
    const untranslated = await untilBadge(tab(), 'open');
    expect([untranslated.severity.text, untranslated.text.text]).toEqual(['Warning', 'hello']);
    const attributes = 'data-lang="de" data-warning="Achtung"';
    await tab().go(embedding.put({ html: 'lang="fr"', attributes }));
    const chosen = await untilBadge(tab(), 'open');
    expect([chosen.severity.text, chosen.text.text]).toEqual(['Achtung', 'Hallo']);
  });

  test('is mirrored on a page that reads from right to left, and only its words elsewhere', async () => {
    const embedding = await open([saying('a', { message: arabic })], { html: 'lang="ar" dir="rtl"' });
    const { card, logo, toggle, dismiss } = await untilBadge(tab(), 'open');
    expect(card.direction).toBe('rtl');
    const order = [dismiss, toggle, logo].map(({ box }) => box.x);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    await tab().go(embedding.put());
    const there = await untilBadge(tab(), 'open');
    expect([there.words.direction, there.card.direction]).toEqual(['rtl', 'ltr']);
  });

  test.each([
    ['warning', 'Warning'],
    ['critical', 'Critical'],
  ])('has a word with contrast for %s news, which is read out once', async (severity, word) => {
    const announcement = saying('news', { severity });
    const embedding = await open([announcement], { attributes: 'data-theme="light"' });
    for (const background of [light, dark]) {
      const view = await untilBadge(tab(), 'open');
      expect(view.severity.text).toBe(word);
      expect(view.words.attributes.role).toBe(severity === 'critical' ? 'alert' : 'status');
      expect(view.card.background).toBe(background);
      expect(contrastOf(view.severity.color, view.card.background)).toBeGreaterThanOrEqual(4.5);
      await tab().go(embedding.put({ attributes: 'data-theme="dark"' }));
    }
    await untilBadge(tab(), 'open');
    await clickPart(tab(), 'toggle');
    await untilBadge(tab(), 'collapsed');
    await reload(tab());
    expect((await untilBadge(tab(), 'collapsed')).words.attributes.role).toBeUndefined();
  });

  test('can be used by keyboard, and gives the focus back', async () => {
    await open([lasting]);
    await untilBadge(tab(), 'open');
    await tab().run(() => document.getElementById('last')?.focus());
    const order = [];
    for (let times = 0; times < 3; times += 1) {
      await tab().press('Tab');
      order.push((await viewBadge(tab())).focused);
    }
    expect(order).toEqual(['text', 'toggle', 'dismiss']);
    await tab().press('Shift+Tab');
    await tab().press('Enter');
    expect((await untilBadge(tab(), 'collapsed')).focused).toBe('toggle');
    await tab().press('Space');
    await untilBadge(tab(), 'open');
    await tab().press('Tab');
    await tab().press('Enter');
    expect((await untilBadge(tab(), 'hidden')).focused).toBe('last');
  });

  test('works under a strict Content-Security-Policy with Trusted Types', async () => {
    const embedding = await open([lasting], { tag: '' });
    const { url } = embedding.server;
    const policy = `default-src 'none'; script-src ${url}; img-src 'self'; connect-src ${url};
      require-trusted-types-for 'script'; trusted-types 'none'; report-uri /broken`.replace(/\s+/g, ' ');
    // The page itself breaks it once, which shows that a breach is reported.
    const body = '<h1>Strict</h1><img src="http://localhost:1/forbidden.png" alt="">';
    await tab().go(embedding.put({ body, headers: { 'Content-Security-Policy': policy } }));
    expect((await untilBadge(tab(), 'open')).card.background).toBe(dark);
    await clickPart(tab(), 'toggle');
    await untilBadge(tab(), 'collapsed');
    await clickPart(tab(), 'toggle');
    await untilBadge(tab(), 'open');
    await clickPart(tab(), 'dismiss');
    await untilBadge(tab(), 'hidden');
    await until(() => embedding.site.requests.includes('/broken'));
    expect(embedding.site.requests.filter((path) => path === '/broken')).toHaveLength(1);
  });

  test('shows four lines of a long message, and the rest on request; axe finds nothing', async () => {
    await open([saying('long', { message: longest, severity: 'critical' })]);
    const { words, more } = await untilBadge(tab(), 'open');
    expect(Math.abs(words.lines - 4)).toBeLessThan(0.2);
    expect(words.isWhole).toBe(false);
    expect(isSeen(more)).toBe(true);
    expect(await findViolations(tab())).toEqual([]);
    await clickPart(tab(), 'more');
    await until(async () => !isSeen((await viewBadge(tab())).more));
    expect((await viewBadge(tab())).words.isWhole).toBe(true);
  });

  test('covers at most a quarter of a small phone, and stays on it', async () => {
    const embedding = await open([saying('long', { message: longest, severity: 'critical' })], { tag: '' });
    // In a frame of that size, because not every window can be made so small.
    const frame = `<iframe src="${embedding.put()}" width="320" height="480" style="border: 0"></iframe>`;
    await tab().go(embedding.put({ tag: '', body: frame }));
    const { card, words } = await untilBadge(tab(), 'open', true);
    const { x, y, width, height } = card.box;
    expect((width * height) / (320 * 480)).toBeLessThanOrEqual(0.25);
    expect(Math.min(x, y, 320 - x - width, 480 - y - height)).toBeGreaterThanOrEqual(0);
    expect(Math.abs(words.lines - 3)).toBeLessThan(0.2);
  });

  test('keeps a link at the end of a long message in view, also on phones', async () => {
    const markdown = `${longest.slice(0, 250)} [see the status](https://example.com/)`;
    const announcement = saying('long', { message: undefined, link: undefined, markdown });
    const embedding = await open([announcement], { tag: '' });
    for (const [width, height] of [
      [1000, 700],
      [360, 740],
      [320, 480],
    ] as const) {
      const frame = `<iframe src="${embedding.put()}" width="${width}" height="${height}" style="border: 0"></iframe>`;
      await tab().go(embedding.put({ tag: '', body: frame }));
      const { card, words, links } = await untilBadge(tab(), 'open', true);
      expect(words.isWhole).toBe(false);
      expect(links.text.trim()).toBe('see the status');
      expect(links.box.height).toBeGreaterThan(10);
      expect(links.box.y + links.box.height).toBeLessThanOrEqual(card.box.y + card.box.height);
    }
  });

  test('follows the path of an application that changes it without a load', async () => {
    await open([saying('there', { audience: { paths: ['/there'] } })], { attributes: 'data-show-empty' });
    await untilBadge(tab(), 'brand');
    await tab().run(() => history.pushState(null, '', '/there'));
    expect((await untilBadge(tab(), 'open')).text.text).toBe('there');
    await tab().run(() => history.pushState(null, '', '/elsewhere'));
    await untilBadge(tab(), 'brand');
  });

  testWith('change of colour scheme', 'changes its theme with the system', async () => {
    await open([lasting]);
    await untilBadge(tab(), 'open');
    await showAs({ colorScheme: 'light' });
    await until(async () => (await viewBadge(tab())).card.background === light);
  });

  testWith('forced colours', 'takes the colours that a reader forces on pages', async () => {
    await open([saying('news', { severity: 'warning' })]);
    const usual = await untilBadge(tab(), 'open');
    await showAs({ forcedColors: true });
    await until(async () => (await viewBadge(tab())).text.color !== usual.text.color);
    const { card, text, severity, toggle } = await viewBadge(tab());
    for (const { color } of [text, severity, toggle])
      expect(contrastOf(color, card.background)).toBeGreaterThanOrEqual(4.5);
  });

  testWith('print', 'is not printed', async () => {
    await open([lasting]);
    await untilBadge(tab(), 'open');
    await showAs({ print: true });
    await until(async () => !isSeen((await viewBadge(tab())).card));
  });

  test('as a bar it is above the page from the second view on, and moves nothing there', async () => {
    const embedding = await open([lasting], { tag: '' });
    const tag = `<script src="${embedding.server.url}/js/typebadge-inject.min.js" data-position="top"></script>`;
    const url = embedding.put({ head: tag, tag: '' });
    const headingAt = () => tab().run(() => document.querySelector('h1')?.getBoundingClientRect().y ?? 0);
    await tab().go(url);
    const alone = await headingAt();
    await untilBadge(tab(), 'open');
    expect(await headingAt()).toBe(alone);
    await until(() => tab().run(() => 'typebadge-bar' in localStorage));
    await tab().go(url);
    const { card } = await untilBadge(tab(), 'open');
    expect([card.box.x, card.box.y]).toEqual([0, 0]);
    expect(Math.abs((await headingAt()) - alone - card.box.height)).toBeLessThan(1);
  });

  describe('the page for editors', () => {
    async function startDesk() {
      const { tokens, text } = newEditors('ada');
      const server = await startTestServer({ files: { 'editors.json': text } });
      onTestFinished(() => server.close());
      return { server, token: tokens.ada };
    }

    const fill = (selector: string, value: string) =>
      tab().run(
        (where, typed) => {
          const field = document.querySelector<HTMLInputElement>(where);
          if (field === null) return;
          field.value = typed;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        },
        selector,
        value,
      );
    const click = (selector: string) =>
      tab().run((where) => document.querySelector<HTMLElement>(where)?.click(), selector);
    const untilSeen = (text: string) =>
      until(() => tab().run((wanted) => document.body.innerText.includes(wanted), text));

    test('signs in, publishes, and undoes it', async () => {
      const { server, token } = await startDesk();
      await tab().go(`${server.url}/desk`);
      await untilSeen('Sign in');
      await fill('#token', token);
      await click('#sign-in button');
      await untilSeen('The autumn release is here');
      await click('a[href="#new"]');
      await untilSeen('New announcement');
      await until(() => tab().run(() => document.activeElement?.id === 'message'));
      await fill('#message', 'Published in every engine');
      await fill('#at', '2990-01-10T09:00');
      await click('#publish');
      await untilSeen(': it starts 10 Jan 2990');
      await untilSeen('Scheduled (1)');
      await click('#status button');
      await untilSeen('Scheduled (0)');
    });

    test('the preview shows the badge without any origin', async () => {
      const { server } = await startDesk();
      await tab().go(`${server.url}/desk/preview`);
      // Here the document is its own parent, so it takes the message from itself.
      await tab().run(() => {
        const times = { published: '2020-01-01T00:00:00Z', expires: '2999-01-01T00:00:00Z' };
        const announcement = { id: 'preview', message: 'As readers see it', link: '', ...times };
        window.postMessage({ announcement, lang: 'en' }, '*');
      });
      const { text, card } = await untilBadge(tab(), 'open');
      expect(text.text).toBe('As readers see it');
      expect(card.box.width).toBeGreaterThan(100);
      expect(await tab().run(() => window.origin)).toBe('null');
    });
  });
});

/** What axe finds wrong with the page. */
async function findViolations(tab: Tab): Promise<string[]> {
  await tab.run((source) => {
    document.head.append(Object.assign(document.createElement('script'), { text: source }));
  }, axe.source);
  return tab.run(async () =>
    (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
  );
}

async function reload(tab: Tab): Promise<void> {
  await tab.go(await tab.run(() => location.href));
}

/** Resolves once an announcement could have come: the page's own request for it is answered after the badge's. */
function untilAsked(tab: Tab): Promise<string> {
  return tab.run(async (path) => {
    const { src } = document.querySelector('script[src*=inject]') as HTMLScriptElement;
    const reply = await fetch(new URL(path, src));
    return reply.text();
  }, '/content/active.json');
}
