import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { describeInChromium } from './chromium.ts';
import { type Embedding, partsOf, startEmbedding, untilState, visit } from './embedding.ts';
import { findViolations } from './page-check.ts';

describeInChromium('the demo page', (browser) => {
  let embedding: Embedding;
  let demo: string;
  beforeAll(async () => {
    embedding = await startEmbedding();
    demo = `${embedding.server.url}/demo`;
  });
  afterAll(() => embedding.close());

  async function visitDemo(options = {}) {
    const visited = await visit(browser(), demo, options);
    const { page } = visited;
    const preview = page.frameLocator('iframe').locator('type-badge');
    await preview
      .and(page.frameLocator('iframe').locator('[data-state=open]'))
      .waitFor({ state: 'attached' });
    return { ...visited, preview, tag: page.locator('#tag') };
  }

  /** Chooses as a reader does: by the words on the screen. */
  const choose = (page: import('playwright-core').Page, text: string) =>
    page.locator('label').filter({ hasText: text }).click();

  test('shows the chosen corner and theme in the real badge, and writes the tag for it', async () => {
    const { page, preview, tag, complaints, murmurs } = await visitDemo();
    expect(await tag.textContent()).toBe(
      `<script src="${embedding.server.url}/js/typebadge-inject.min.js" defer></script>`,
    );
    for (const [corner, position] of [
      ['Top left', 'top-left'],
      ['Top right', 'top-right'],
      ['Bottom left', 'bottom-left'],
      ['Bottom right', 'bottom-right'],
    ] as const) {
      await choose(page, corner);
      for (const theme of ['Dark', 'Light', 'Auto']) {
        await choose(page, theme);
        const name = theme.toLowerCase();
        const chosen = `[data-position=${position}][data-theme=${name}][data-state=open]`;
        await page.frameLocator('iframe').locator(`type-badge${chosen}`).waitFor({ state: 'attached' });
        expect(await preview.count()).toBe(1);
        const attributes = [
          position === 'bottom-right' ? '' : ` data-position="${position}"`,
          name === 'auto' ? '' : ` data-theme="${name}"`,
        ].join('');
        expect(await tag.textContent()).toContain(`-inject.min.js"${attributes} defer>`);
      }
    }
    expect([...complaints, ...murmurs]).toEqual([]);
  });

  test('the tag gives what the preview shows, on any page', async () => {
    const { page, tag } = await visitDemo();
    await choose(page, 'Top left');
    await choose(page, 'Dark');
    await choose(page, 'Start collapsed');
    await choose(page, 'Show the logo');
    await choose(page, 'Turn off counting');
    const label = "\"><img src=x onerror=alert(1)> & 'News'";
    await page.getByLabel('Name for screen readers').fill(label);
    await page.frameLocator('iframe').getByRole('complementary', { name: label }).waitFor();
    const text = (await tag.textContent()) ?? '';
    expect(text.match(/data-[\w-]+/g)?.sort()).toEqual(
      ['analytics', 'collapsed', 'label', 'position', 'show-empty', 'theme'].map((name) => `data-${name}`),
    );
    const pasted = await visit(browser(), embedding.put({ tag: text }));
    await untilState(pasted.page, 'collapsed');
    const { host } = partsOf(pasted.page);
    expect(await host.getAttribute('data-position')).toBe('top-left');
    expect(await host.getAttribute('data-theme')).toBe('dark');
    await pasted.page.getByRole('complementary', { name: label }).waitFor();
    expect(pasted.complaints).toEqual([]);
  });

  test('names the assets after the brand, and says so when there is nothing to show', async () => {
    const files = { 'history.json': { announcements: [] } };
    const branded = await startEmbedding({ brand: 'field-notes', files });
    const { page } = await visit(browser(), `${branded.server.url}/demo`);
    await page.getByText('nothing is announced right now', { exact: false }).waitFor();
    expect(await page.locator('#tag').textContent()).toContain('/js/field-notes-inject.min.js"');
    await branded.close();
  });

  test('the copy button copies the tag, or selects it if there is no clipboard', async () => {
    const allowed = await visitDemo({ permissions: ['clipboard-read', 'clipboard-write'] });
    await allowed.page.getByRole('button', { name: 'Copy' }).click();
    await allowed.page.getByText('Copied.').waitFor();
    const text = await allowed.tag.textContent();
    expect(await allowed.page.evaluate(() => navigator.clipboard.readText())).toBe(text);

    const { page } = await visitDemo();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Selected').waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toBe(text);
  });

  test('a badge dismissed in the preview returns with the next choice, and the page gets the event', async () => {
    const { page } = await visitDemo();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('A visitor closed the announcement. Your page').waitFor();
    await choose(page, 'Top right');
    await frame.locator('type-badge[data-state=open]').waitFor({ state: 'attached' });
  });

  test('tries every severity, a long message and none, with nothing sent to the server', async () => {
    const { page, complaints } = await visitDemo();
    const badge = page.frameLocator('iframe').locator('type-badge');
    const announcement = page.getByRole('combobox');
    for (const [sample, words, label] of [
      ['success', 'All services work again.', 'Good news'],
      ['warning', 'Sign-in is slow', 'Warning'],
      ['critical', 'Payments are down', 'Critical'],
      ['long', 'On Saturday night', ''],
    ] as const) {
      await announcement.selectOption(sample);
      await badge.getByText(words).waitFor();
      if (label !== '') await badge.getByText(label, { exact: true }).first().waitFor();
      expect(await badge.getByRole('button', { name: 'Dismiss' }).count()).toBe(
        sample === 'critical' ? 0 : 1,
      );
      expect(await badge.getByRole('button', { name: 'Read on' }).isVisible()).toBe(sample === 'long');
    }
    await announcement.selectOption('none');
    await page.getByText('nothing is announced right now', { exact: false }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows what is for a path and in a language', async () => {
    const { page, tag } = await visitDemo();
    const badge = page.frameLocator('iframe').locator('type-badge');
    await page.getByRole('combobox').selectOption('docs');
    await page.getByText('nothing is announced right now', { exact: false }).waitFor();
    await page.getByLabel('Address of the page').fill('https://www.example.org/docs/start');
    await badge.getByText('This chapter is being rewritten.').waitFor();
    await page.getByLabel('Language of announcements').fill('de-AT');
    await badge.getByText('Dieses Kapitel wird überarbeitet.').waitFor();
    expect(await tag.textContent()).toContain(' data-lang="de-AT" defer>');
    await page.getByLabel('Address of the page').fill('https://www.example.org/prices');
    await page.getByText('nothing is announced right now', { exact: false }).waitFor();
  });

  test('tries colours and a logo, and writes the style for them beside the tag', async () => {
    const { page, tag, complaints } = await visitDemo();
    const badge = page.frameLocator('iframe').locator('type-badge');
    await choose(page, 'Colours of my own');
    await page.getByLabel('Background', { exact: true }).fill('#123456');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
    const file = { name: '</style><b>".svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
    await page.getByLabel('Logo', { exact: true }).setInputFiles(file);
    const card = badge.getByRole('complementary');
    await expect
      .poll(() => card.evaluate((part) => getComputedStyle(part).backgroundColor))
      .toBe('rgb(18, 52, 86)');
    const logo = badge.locator('[part=logo]');
    await expect
      .poll(() => logo.evaluate((image) => getComputedStyle(image).content))
      .toMatch(/^url\("blob:/);
    const text = (await tag.textContent()) ?? '';
    expect(text).toContain('--typebadge-background: #123456;');
    expect(text).toContain('--typebadge-logo: url("/%3C%2Fstyle%3E%3Cb%3E%22.svg");');
    await choose(page, 'Colours of my own');
    expect(await tag.textContent()).not.toContain('background');
    expect(complaints).toEqual([]);
  });

  test('keeps the preview visible on a phone down to the last choice', async () => {
    const { page } = await visitDemo({ viewport: { width: 390, height: 844 } });
    const last = page.getByText('More words');
    await last.scrollIntoViewIfNeeded();
    const stage = await page.locator('.stage').boundingBox();
    expect(stage?.y).toBeGreaterThanOrEqual(0);
    expect((stage?.y ?? 0) + (stage?.height ?? 0)).toBeLessThan(844 / 2);
  });

  test('the bytes it shows are the bytes sent', async () => {
    const { page } = await visitDemo();
    const rows = await page
      .locator('tbody tr')
      .evaluateAll((list) => list.map(({ children }) => [...children].map((cell) => cell.textContent)));
    const sent: unknown[] = [];
    for (const [name, path] of [
      ['Script', '/js/typebadge-inject.min.js'],
      ['Stylesheet', '/css/typebadge-inject.min.css'],
      ['Logo', '/images/typebadge-logo.svg'],
      ['Announcement', '/content/active.json'],
    ] as const) {
      const sizes = [];
      for (const coding of ['br', 'gzip', 'identity']) {
        const { body } = await send(embedding.server.port, { path, headers: { 'Accept-Encoding': coding } });
        sizes.push(new Intl.NumberFormat('en').format(body.length));
      }
      sent.push([name, ...sizes]);
    }
    expect(rows).toEqual(sent);
  });

  test('does not count anyone who only tries it', async () => {
    const { page } = await visit(browser(), 'about:blank');
    const pulses: string[] = [];
    page.on('request', (request) => request.url().includes('/pulse') && pulses.push(request.url()));
    await page.goto(demo);
    await page.frameLocator('iframe').getByRole('button', { name: 'Dismiss' }).click();
    await page.waitForLoadState('networkidle');
    expect(pulses).toEqual([]);
  });

  test('without JavaScript it still has the tag, its options, and its cost', async () => {
    const { page } = await visit(browser(), demo, { javaScriptEnabled: false });
    expect(await page.locator('#tag').textContent()).toContain('-inject.min.js" defer></script>');
    await page.getByText('The preview and the choices need JavaScript').waitFor();
    await page.getByText('data-show-empty').waitFor();
    await page.getByText('--typebadge-accent').waitFor();
    await page.getByText('A visitor closed the announcement').waitFor();
    await page.getByRole('img', { name: 'The current announcement' }).waitFor();
    expect(await page.locator('form').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Copy' }).isVisible()).toBe(false);
    expect(await page.locator('tfoot').isVisible()).toBe(true);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing, in the %s theme, wide and narrow',
    async (colorScheme) => {
      for (const width of [1200, 320]) {
        const { page } = await visitDemo({ colorScheme, viewport: { width, height: 700 } });
        expect(await findViolations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    },
  );

  test('has a policy with the hash of every script and style', async () => {
    const { headers } = await send(embedding.server.port, { path: '/demo' });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    expect(policy).toContain("require-trusted-types-for 'script'");
  });
});
