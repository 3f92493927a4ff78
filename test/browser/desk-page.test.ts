import { expect, test } from 'vitest';
import { describeInChromium } from './chromium.ts';
import {
  listOf,
  messageOf,
  previewOf,
  signIn,
  startDesk,
  startEditing,
  startWriting,
  untilPreview,
  untilSaid,
} from './desk-visit.ts';
import { findViolations } from './page-check.ts';

describeInChromium('the page for editors', (browser) => {
  test('publishes with a live preview, and undoes it', async () => {
    const desk = await startDesk();
    const { page, complaints } = await signIn(browser(), desk);
    await page.getByText('ada', { exact: true }).waitFor();
    await startWriting(page, 'The library closes at noon today.');
    await untilPreview(page, 'The library closes at noon today.');
    await page.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(page, /Published .+ is active .+takes the place of 2026-001/);
    await listOf(page, 'Active').getByText('The library closes at noon today.').waitFor();
    expect(await listOf(page, 'Active').count()).toBe(1);
    expect((await desk.active()).map(({ message }) => message)).toEqual([
      'The library closes at noon today.',
    ]);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await untilSaid(page, 'Undone');
    expect((await desk.active()).map(({ id }) => id)).toEqual(['2026-001']);
    await page.getByRole('link', { name: 'New announcement' }).click();
    await messageOf(page).waitFor();
    expect(await messageOf(page).inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  test('schedules in the time zone of the editor, with every field', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    await startWriting(page, 'The winter term begins.');
    await page.getByText('Times are in your time zone, Europe/Berlin.').last().waitFor();
    await page.getByLabel('Link (optional)', { exact: true }).fill('https://example.org/term');
    await page.locator('#at').fill('2990-01-10T09:00');
    await page.getByText('= 10 Jan 2990, 08:00 UTC').waitFor();
    await page.locator('#expires').fill('2990-07-10T09:00');
    await page.getByText('= 10 Jul 2990, 07:00 UTC').waitFor();
    await page.getByText('More:').click();
    await page.getByLabel('Severity').selectOption('warning');
    await page.locator('#linkLabel').fill('Dates');
    await page.getByLabel('Readers can close it').uncheck();
    await page.getByLabel('Earlier announcements stay').check();
    await page.getByLabel('Id (optional)').fill('winter');
    await page.getByRole('button', { name: 'Add a language' }).click();
    const translation = page.getByRole('group', { name: 'Translation' });
    await translation.getByLabel('Language').fill('de');
    await translation.getByLabel('Message').fill('Das Wintersemester beginnt.');
    await translation.getByLabel('Words of the link').fill('Termine');
    await page.getByLabel('Language of the preview').selectOption('de');
    await untilPreview(page, 'Das Wintersemester beginnt.');
    expect(await previewOf(page).getByText('Termine').count()).toBe(1);
    await page.getByLabel('Only on these sites').fill('https://www.example.org\nhttps://*.example.net');
    await page.getByLabel('Only on these pages').fill('/students/*');
    await page.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(page, 'Published winter: it starts 10 Jan 2990, 09:00.');
    await listOf(page, 'Scheduled').waitFor();
    const text = await listOf(page, 'Scheduled').innerText();
    for (const part of ['10 Jan 2990, 09:00', 'warning', 'also de', 'https://*.example.net', '/students/*'])
      expect(text).toContain(part);

    await startEditing(page, 'The winter term begins.');
    expect(await page.locator('#at').inputValue()).toBe('2990-01-10T09:00');
    expect(await page.getByLabel('Only on these sites').inputValue()).toContain('https://*.example.net');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByLabel('Only on these pages').fill('');
    await page.getByLabel('Readers can close it').check();
    await page.locator('#at').fill('2020-01-10T09:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('alert')
      .getByText(/start|past|begin/i)
      .waitFor();
    await page.locator('#at').fill('2990-01-11T09:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await untilSaid(page, 'Saved winter: it starts 11 Jan 2990, 09:00.');
    await listOf(page, 'Scheduled').getByText('11 Jan 2990').waitFor();
    expect(await listOf(page, 'Scheduled').innerText()).not.toMatch(/also de|students/);
  });

  test('edits, ends and withdraws, and the log undoes each', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    await startEditing(page, 'The autumn release is here');
    expect(await page.locator('#at').isDisabled()).toBe(true);
    await messageOf(page).fill('The spring release is here');
    await page.getByRole('button', { name: 'Save' }).click();
    await untilSaid(page, 'Saved 2026-001');
    await page.getByRole('button', { name: /^End now/ }).click();
    await untilSaid(page, 'Ended “The spring release is here”.');
    await expect.poll(() => listOf(page, 'Past').count()).toBe(1);
    expect(await desk.active()).toEqual([]);
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await untilSaid(page, 'Withdrew');
    expect(await desk.history()).toEqual([]);
    await page.getByRole('link', { name: 'Log' }).click();
    await page.getByRole('cell', { name: 'withdraw' }).waitFor();
    for (const number of [3, 2, 1]) {
      await page.getByRole('button', { name: `Undo: change ${number}`, exact: true }).click();
      await untilSaid(page, `Undid change ${number}.`);
      await page.getByRole('cell', { name: `undo of ${number}` }).waitFor();
    }
    expect((await desk.active()).map(({ message }) => message)).toEqual(['The autumn release is here']);
  });

  test('shows counts and changes the list of sites', async () => {
    const desk = await startDesk();
    await fetch(`${desk.server.url}/pulse?event=impression&id=2026-001`);
    const { page } = await signIn(browser(), desk);
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('rowheader', { name: 'All' }).waitFor();
    await page.getByRole('link', { name: 'Sites' }).click();
    await page.getByText('No site is listed yet.').waitFor();
    await page.getByLabel('Add a site').fill('not a site');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('alert').getByText(/./).waitFor();
    await page.getByLabel('Add a site').fill('https://www.example.org');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Remove: https://www.example.org' }).click();
    await untilSaid(page, 'Removed https://www.example.org.');
    await page.getByText('No site is listed yet.').waitFor();
  });

  test('works with the keyboard alone, and the focus is never lost', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses++) {
        const focused = await page.evaluate(() => {
          const { activeElement } = document;
          return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
        });
        if (focused.startsWith(name)) return;
        await page.keyboard.press('Tab');
      }
      expect.fail(`the keyboard does not reach ${name}`);
    };
    const heading = () => page.evaluate(() => document.activeElement?.tagName);
    expect(await heading()).toBe('H1');
    await tabTo('New announcement');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New announcement' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Written with keys');
    await tabTo('Publish');
    await page.keyboard.press('Enter');
    await untilSaid(page, 'Published');
    await listOf(page, 'Active').getByText('Written with keys').waitFor();
    await tabTo('Withdraw: Written with keys');
    await page.keyboard.press('Enter');
    await untilSaid(page, 'Withdrew');
    await expect.poll(heading).toBe('H1');
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in any view, in the %s theme, wide and narrow',
    async (colorScheme) => {
      const desk = await startDesk();
      for (const width of [1200, 320]) {
        const options = { colorScheme, viewport: { width, height: 800 } };
        const { page } = await signIn(browser(), desk, options);
        const check = async () => {
          expect(await findViolations(page)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        };
        await check();
        for (const name of ['Log', 'Numbers', 'Sites', 'Announcements']) {
          await page.getByRole('link', { name, exact: true }).click();
          await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
          await check();
        }
        await startWriting(page, 'Checked by axe');
        await untilPreview(page, 'Checked by axe');
        await page.getByText('More:').click();
        await page.getByRole('button', { name: 'Add a language' }).click();
        await page.getByLabel('Language, such').fill('!');
        await page.getByRole('group').getByLabel('Message').fill('!');
        await page.getByRole('button', { name: 'Publish' }).click();
        await page.locator('[aria-invalid]').waitFor();
        await check();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await check();
      }
    },
  );
});
