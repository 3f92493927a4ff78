import { expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import { partsOf, untilNothing, untilState, visit } from './embedding.ts';
import { setUpStage } from './rogue-server.ts';

const DAY = 24 * 60 * 60 * 1000;

describeInChromium('what the reader did is remembered', (browser) => {
  const stage = setUpStage();

  test('what was collapsed or dismissed is forgotten after 14 days', async () => {
    const { page } = await visit(browser(), stage.put());
    for (const [state, button] of [
      ['collapsed', 'toggle'],
      ['hidden', 'dismiss'],
    ] as const) {
      await untilState(page, 'open');
      await partsOf(page)[button].click();
      await page.clock.setFixedTime(Date.now() + 13.9 * DAY);
      await page.reload();
      await (state === 'hidden' ? untilNothing(page) : untilState(page, state));
      await page.clock.setFixedTime(Date.now() + 14.1 * DAY);
      await page.reload();
      await untilState(page, 'open');
      await page.clock.setFixedTime(Date.now());
    }
  });

  test('with another id, message or link it is new again, and the old one stays dismissed', async () => {
    const { page } = await visit(browser(), stage.put());
    for (const change of [
      { id: '2026-002' },
      { message: 'The autumn release is here!' },
      { link: 'https://example.org/elsewhere' },
      { message: 'The autumn release is her', link: 'e' }, // one character has moved
    ]) {
      stage.say({});
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await untilState(page, 'open');
      await partsOf(page).dismiss.click();
      stage.say(change);
      await page.reload();
      await untilState(page, 'open');
      await partsOf(page).toggle.click();
      stage.say({});
      await page.reload();
      await untilNothing(page);
      stage.say(change);
      await page.reload();
      await untilState(page, 'collapsed');
    }
  });

  test('the dot is shown until the announcement was opened, and returns with the next one', async () => {
    const url = stage.put('data-collapsed');
    const { page } = await visit(browser(), url);
    const isNew = async () => (await partsOf(page).host.getAttribute('data-new')) !== null;
    await untilState(page, 'collapsed');
    expect(await isNew()).toBe(true);
    await page.reload();
    await untilState(page, 'collapsed');
    expect(await isNew()).toBe(true);
    await partsOf(page).toggle.click();
    expect(await isNew()).toBe(false);
    await page.reload();
    await untilState(page, 'collapsed');
    expect(await isNew()).toBe(false);
    stage.say({ message: 'And now for something else' });
    await page.reload();
    await untilState(page, 'collapsed');
    expect(await isNew()).toBe(true);
  });

  test('nothing is stored before the reader acts, no cookie ever, and old entries are removed', async () => {
    const { page } = await visit(browser(), stage.put());
    const stored = () => page.evaluate(() => ({ ...localStorage }));
    await untilState(page, 'open');
    expect(await stored()).toEqual({});
    for (let day = 0; day <= 20; day += 5) {
      stage.say({ id: `day-${day}` });
      await page.clock.setFixedTime(Date.now() + day * DAY);
      await page.reload();
      await untilState(page, 'open');
      await partsOf(page).dismiss.click();
    }
    const { typebadge, ...others } = await stored();
    const ids = Object.keys(JSON.parse(typebadge ?? '')).map((key) => key.split('~')[0]);
    expect(ids).toEqual(['day-10', 'day-15', 'day-20']);
    expect(others).toEqual({});
    expect(await page.context().cookies()).toEqual([]);
  });

  test('dismissed in one tab, it is gone from the others', async () => {
    const { page } = await visit(browser(), stage.put());
    const other = await page.context().newPage();
    await other.goto(stage.put());
    await untilState(page, 'open');
    await untilState(other, 'open');
    await partsOf(other).dismiss.click();
    await untilState(page, 'hidden');
  });

  test('if storage is blocked, the badge works, and remembers until the page is closed', async () => {
    const inner = stage.put();
    const body = `<iframe sandbox="allow-scripts" src="${inner}"></iframe>`;
    const { page, complaints } = await visit(browser(), stage.put('', { body, tag: '' }));
    const frame = page.frames()[1];
    if (frame === undefined) throw new Error('the page has no frame');
    const { toggle, dismiss } = partsOf(frame);
    const initAgain = () => frame.evaluate(() => window.TypeBadge?.init());
    await toggle.click();
    await untilState(frame, 'collapsed');
    await initAgain();
    await untilState(frame, 'collapsed');
    await toggle.click();
    await dismiss.click();
    await initAgain();
    await untilNothing(frame);
    expect(complaints).toEqual([]);
  });

  test('invalid data in the storage does no harm', async () => {
    const { page, complaints } = await visit(browser(), stage.put());
    const key = await rememberedKey();
    for (const rubbish of [
      '',
      '{',
      'null',
      '7',
      '"text"',
      '[]',
      '[[1,2]]',
      '{"a":null,"b":[],"c":["x"],"d":{"1":9e99}}',
      JSON.stringify({ [key]: null }),
      JSON.stringify({ [key]: ['?', 9e15] }),
      JSON.stringify({ [key]: ['x', 'soon'] }),
    ]) {
      await page.evaluate((text) => localStorage.setItem('typebadge', text), rubbish);
      await page.reload();
      await untilState(page, 'open');
      await partsOf(page).toggle.click();
      const stored = await page.evaluate(() => localStorage.getItem('typebadge'));
      expect(JSON.parse(stored ?? '')[key]).toEqual(['-', expect.any(Number)]);
    }
    expect(complaints).toEqual([]);

    async function rememberedKey(): Promise<string> {
      await untilState(page, 'open');
      await partsOf(page).toggle.click();
      const stored = await page.evaluate(() => localStorage.getItem('typebadge'));
      return Object.keys(JSON.parse(stored ?? '{}'))[0] ?? '';
    }
  });
});
