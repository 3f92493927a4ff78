import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Route } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { newEditors } from '../support/editors.ts';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import {
  type Desk,
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
import { visit } from './embedding.ts';
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
    await untilSaid(page, /Undid change 1, of \d{4}-\d{3}\./);
    expect((await desk.active()).map(({ id }) => id)).toEqual(['2026-001']);
    await page.getByRole('status').getByRole('button', { name: 'Redo' }).click();
    await untilSaid(page, 'Redid the change of ');
    expect((await desk.active()).map(({ message }) => message)).toEqual([
      'The library closes at noon today.',
    ]);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await untilSaid(page, 'Undid change 3');
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
    await page.getByLabel('Readers can dismiss it').uncheck();
    await page.getByLabel('Earlier announcements stay').check();
    await page.getByLabel('Id (optional)').fill('winter');
    await page.getByRole('button', { name: 'Add a language' }).click();
    const translation = page.getByRole('group', { name: 'Translation' });
    await translation.getByLabel('Language').fill('de');
    await translation.getByLabel('Message').fill('Das Wintersemester beginnt.');
    await translation.getByLabel('Link label').fill('Termine');
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
    await page.getByLabel('Readers can dismiss it').check();
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

  test('every wrong field says what is wrong with it, those that the server finds, too', async () => {
    const { page } = await signIn(browser(), await startDesk());
    await startWriting(page, 'x'.repeat(281));
    await page.locator('#expires').fill('2020-01-10T09:00');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('alert').getByText('2 fields need a change.').waitFor();
    const problems = page.locator('form .problem');
    expect(await problems.allInnerTexts()).toEqual([
      'The message has more than 280 characters',
      'The end is in the past',
    ]);
    await messageOf(page).fill('x'.repeat(280));
    await page.locator('#expires').fill('');
    await page.getByLabel('Link (optional)', { exact: true }).fill('ftp://x');
    await page.getByText('More:').click();
    await page.getByLabel('Id (optional)').fill('a b');
    await page.getByRole('button', { name: 'Publish' }).click();
    await problems.getByText('ftp:').waitFor();
    await problems.getByText('a b').waitFor();
    await page.getByRole('alert').getByText('2 fields need a change.').waitFor();
    await page.locator('[name=link]:focus').waitFor();
  });

  test('edits, ends and withdraws, and the log undoes each', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    await startEditing(page, 'The autumn release is here');
    expect(await page.locator('#at').isDisabled()).toBe(true);
    await messageOf(page).fill('The spring release is here');
    await page.getByRole('button', { name: 'Save' }).click();
    await untilSaid(page, 'Saved 2026-001');
    await page.getByRole('button', { name: /^End now/ }).dblclick(); // as one click
    await untilSaid(page, 'Ended “The spring release is here”.');
    await expect.poll(() => listOf(page, 'Past').count()).toBe(1);
    expect(await desk.active()).toEqual([]);
    await startEditing(page, 'The spring release is here');
    await page.getByRole('heading', { name: 'Edit 2026-001 (ended)' }).waitFor();
    await page.getByRole('link', { name: 'Announcements' }).click();
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await untilSaid(page, 'Withdrew');
    expect(await desk.history()).toEqual([]);
    await page.getByRole('link', { name: 'Log' }).click();
    await page.getByRole('cell', { name: 'withdraw' }).waitFor();
    for (const number of [3, 2, 1]) {
      await page.getByRole('button', { name: `Undo: change ${number}`, exact: true }).click();
      await untilSaid(page, `Undid change ${number}, of 2026-001.`);
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
    await page.getByLabel('Add a site').fill('www.example.org');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Remove: https://www.example.org' }).click();
    await untilSaid(page, 'Removed https://www.example.org.');
    await page.getByText('No site is listed yet.').waitFor();
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await untilSaid(page, 'Added https://www.example.org again.');
    await page.getByRole('button', { name: 'Remove: https://www.example.org' }).waitFor();

    const cut = (route: Route) => route.abort('connectionreset');
    await page.route('**/api/origins', cut);
    await page.getByRole('button', { name: 'Remove: https://www.example.org' }).click();
    await page.getByRole('alert').getByText('does not answer').waitFor();
    await page.unroute('**/api/origins', cut);
    await page.getByRole('button', { name: 'Try again' }).click();
    await untilSaid(page, 'Removed https://www.example.org.');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await untilSaid(page, 'Added https://www.example.org again.');

    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await cut(route);
    };
    await page.route('**/api/origins', loseAnswer);
    await page.getByRole('button', { name: 'Remove: https://www.example.org' }).click();
    await page.getByRole('alert').getByText('does not answer').waitFor();
    await page.unroute('**/api/origins', loseAnswer);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('https://www.example.org is not on the list').waitFor();
    await page.getByText('No site is listed yet.').waitFor();
  });

  test('in forced colours, no button sticks out of the page', async () => {
    const { page } = await signIn(browser(), await startDesk(), { forcedColors: 'active' });
    const [header, button] = await Promise.all(
      [page.locator('header'), page.getByRole('button', { name: 'Sign out' })].map((part) =>
        part.evaluate((element) => element.getBoundingClientRect().right),
      ),
    );
    expect(button).toBe(header);
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
    await page.keyboard.type('Written with keys');
    await tabTo('Publish');
    await page.keyboard.press('Enter');
    await untilSaid(page, 'Published');
    await listOf(page, 'Active').getByText('Written with keys').waitFor();
    await tabTo('Withdraw: Written with keys');
    await page.keyboard.press('Enter');
    await untilSaid(page, 'Withdrew');
    await expect.poll(heading).toBe('H1');
    await tabTo('Undo');
    await page.keyboard.press('Enter');
    await untilSaid(page, 'Undid change');
    await expect.poll(heading).toBe('H1');
  });

  test.each([
    ['light', 1200],
    ['dark', 320],
  ] as const)(
    'axe finds nothing in any view, in the %s theme, %i pixels wide',
    async (colorScheme, width) => {
      const desk = await startDesk();
      const { page } = await signIn(browser(), desk, { colorScheme, viewport: { width, height: 800 } });
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
    },
  );
});

describeInChromium('the page for editors in trouble', (browser) => {
  test('is never framed', async () => {
    const { server } = await startDesk();
    const { page } = await visit(browser(), 'about:blank');
    await page.setContent(`<iframe src="${server.url}/desk"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });

  test('shows hostile announcements as text', async () => {
    const hostile =
      '"><img src=x onerror="document.title=1"><script>document.title=1</script> {{7*7}} \u202e';
    const announcements = [
      {
        ...lasting,
        message: hostile,
        linkLabel: '<b>x</b>',
        translations: { de: { message: hostile } },
        audience: { paths: ['/<img src=x onerror=alert(1)>'] },
      },
    ];
    const desk = await startDesk({ files: { 'history.json': { announcements } } });
    const { page, complaints } = await signIn(browser(), desk);
    await page.getByText('<script>document.title=1</script>').first().waitFor();
    await startEditing(page, '');
    await untilPreview(page, '<script>document.title=1</script>');
    await messageOf(page).fill(`${hostile} again`);
    await untilPreview(page, 'again');
    for (const frame of page.frames())
      expect(await frame.evaluate(() => document.querySelectorAll('img[src=x], b').length)).toBe(0);
    expect(await page.title()).toContain('Desk');
    expect(complaints).toEqual([]);
  });

  test('the preview cannot read the token or what the page keeps', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    await startWriting(page, 'Secret until published');
    await untilPreview(page, 'Secret until published');
    const reached = await page.frames()[1]?.evaluate(() => {
      const attempt = (read: () => unknown) => {
        try {
          return String(read());
        } catch {
          return 'refused';
        }
      };
      return [attempt(() => sessionStorage.length), attempt(() => parent.document.title), window.origin];
    });
    expect(reached).toEqual(['refused', 'refused', 'null']);
    expect(page.url()).not.toContain('tbe_');
  });

  test('keeps what was typed through a reload, an expired token and a new sign-in', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    await startWriting(page, 'Typed with care');
    await page.getByText('More:').click();
    await page.getByLabel('Severity').selectOption('critical');
    await page.reload();
    const message = messageOf(page);
    await expect.poll(() => message.inputValue()).toBe('Typed with care');
    expect(await page.getByLabel('Severity').inputValue()).toBe('critical');

    const { editors, text, tokens } = newEditors('ada');
    const expired = editors.map((editor) => ({ ...editor, expires: '2026-01-02T00:00:00Z' }));
    await desk.server.writeContent('editors.json', JSON.stringify({ ...JSON.parse(text), editors: expired }));
    await page.evaluate((token) => sessionStorage.setItem('typebadge-desk-token', token), tokens.ada);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('alert').getByText('expired').waitFor();
    await desk.server.writeContent('editors.json', text);
    // As copied from a message.
    await page.getByLabel('Token').fill(` ${tokens.ada}\u200b…`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => message.inputValue()).toBe('Typed with care');
    await page.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(page, 'Published');
    expect((await desk.active()).map(({ severity }) => severity)).toEqual(['critical']);
  });

  test('nothing that is typed while a server is slow is lost, or gets into another announcement', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    await startWriting(page, 'Another one');
    await page.getByText('More:').click();
    await page.getByLabel('Earlier announcements stay').check();
    await page.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(page, 'Published');
    let slow = /GET .*id=2026-001/;
    const held: (() => void)[] = [];
    await page.route(/\/api\/announcements/, async (route) => {
      const isHeld = slow.test(`${route.request().method()} ${route.request().url()}`);
      slow = isHeld ? /none/ : slow;
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    const answer = () => {
      for (const go of held.splice(0)) go();
    };
    const goTo = (id: string) => page.evaluate((hash) => Object.assign(location, { hash }), `#edit=${id}`);
    const openEdit = (id: string) => page.getByRole('heading', { name: `Edit ${id}` }).waitFor();
    const [one, other] = ['2026-001', (await desk.active()).map(({ id }) => id)[0] as string];

    // The first view is answered after the second.
    await goTo(one);
    await expect.poll(() => held.length).toBe(1);
    await goTo(other);
    await openEdit(other);
    answer();
    await page.waitForLoadState('networkidle');
    await openEdit(other);
    expect(await messageOf(page).inputValue()).toBe('Another one');

    // While a change is sent, nothing more can be typed into it, but another one can be written.
    slow = /PATCH/;
    await messageOf(page).fill('Another one, changed');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.type('too late');
    expect(await messageOf(page).inputValue()).toBe('Another one, changed');
    await goTo(one);
    await openEdit(one);
    await messageOf(page).fill('Half written');
    answer();
    await untilSaid(page, `Saved ${other}`);
    await openEdit(one);
    expect(await messageOf(page).inputValue()).toBe('Half written');
    await page.reload();
    await openEdit(one);
    expect(await messageOf(page).inputValue()).toBe('Half written');
    await goTo(other);
    await openEdit(other);
    expect(await messageOf(page).inputValue()).toBe('Another one, changed');

    // Two are sent at once: the answer to one does not open the form of the other.
    const answers: (() => void)[] = [];
    for (const id of [other, one]) {
      slow = /PATCH/;
      await goTo(id);
      await openEdit(id);
      await messageOf(page).fill(`Twice, ${id}`);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => held.length).toBe(1);
      answers.push(...held.splice(0));
    }
    answers[0]?.();
    await untilSaid(page, `Saved ${other}`);
    await page.keyboard.type('too late');
    expect(await messageOf(page).inputValue()).toBe(`Twice, ${one}`);
    answers[1]?.();
    // It was sent before the first one changed the list.
    await page.locator('#conflict').getByText('still as you saw it').waitFor();
    await page.getByRole('button', { name: 'Save mine anyway' }).click();
    await untilSaid(page, `Saved ${one}`);
    expect((await desk.active()).map(({ message }) => message).sort()).toEqual(
      [`Twice, ${one}`, `Twice, ${other}`].sort(),
    );
  });

  test('says that it waits for a slow server, and publishes once however often Publish is clicked', async () => {
    const desk = await startDesk();
    const { page } = await visit(browser(), `${desk.server.url}/desk`);
    const held: (() => void)[] = [];
    await page.route('**/api/**', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    const waiting = page.getByRole('status').getByText('Waiting for the server…');
    const busy = page.locator('section[aria-busy=true]:visible');
    /** Waits for so many requests and until the page says that it waits, and lets the server answer them. */
    const answer = async (requests: number) => {
      await expect.poll(() => held.length).toBe(requests);
      await waiting.waitFor();
      expect(await busy.count()).toBe(1);
      for (const go of held.splice(0)) go();
    };
    await page.getByLabel('Token').fill(desk.tokens.ada);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await answer(1);
    await answer(3);
    await page.getByRole('link', { name: 'New announcement' }).click();
    await answer(1);
    await messageOf(page).fill('Only once');
    expect(await waiting.or(busy).count()).toBe(0);
    const publish = page.getByRole('button', { name: 'Publish' });
    await publish.click();
    await waiting.waitFor();
    expect((await waiting.boundingBox())?.y, 'in sight').toBeGreaterThanOrEqual(0);
    await publish.click({ force: true });
    await answer(1);
    await answer(3);
    await untilSaid(page, 'Published');
    await page.getByRole('link', { name: 'Log' }).click();
    await answer(1);
    await page.getByRole('rowheader').waitFor();
    expect((await desk.history()).map(({ message }) => message)).toEqual(['Only once', lasting.message]);
  });

  test('an editor at the same tab sees nothing that another one has typed', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk, { name: 'bob' });
    await startWriting(page, 'Secret of Bob');
    const signInAgain = async (name: 'ada' | 'bob') => {
      await page.evaluate(() => sessionStorage.setItem('typebadge-desk-token', 'wrong'));
      await page.getByRole('link', { name: 'Log' }).click();
      await page.getByLabel('Token').fill(desk.tokens[name]);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: 'Announcements', exact: true }).click();
      await page.getByRole('link', { name: 'New announcement' }).click();
      await messageOf(page).waitFor();
    };
    await signInAgain('ada');
    expect(await messageOf(page).inputValue()).toBe('');
    await signInAgain('bob');
    expect(await messageOf(page).inputValue()).toBe('Secret of Bob');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    const fields = page.locator('#write :is(input, textarea)');
    expect(
      await fields.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
    ).not.toContain('Secret of Bob');
    expect(await page.evaluate(() => sessionStorage.length)).toBeLessThanOrEqual(1);
  });

  test('an address that names no view shows the list', async () => {
    const { page } = await signIn(browser(), await startDesk());
    for (const hash of ['#%', '#edit=%E0%A4%A', '#__proto__', '#toString', '#nothing']) {
      await page.goto('about:blank');
      await page.goBack();
      await page.evaluate((text) => Object.assign(location, { hash: text }), hash);
      await page.getByRole('heading', { name: 'Announcements' }).waitFor();
    }
  });

  test('leaves a field alone that a newer server has and the page does not', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    await startWriting(page, 'First');
    await page.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(page, 'Published');
    await page.route('**/announcements?id=*', async (route) => {
      const response = await route.fetch();
      const { announcements, ...rest } = await response.json();
      await route.fulfill({
        response,
        json: { ...rest, announcements: [{ ...announcements[0], tune: 'la' }] },
      });
    });
    await startEditing(page, 'First');
    await messageOf(page).fill('Second');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).toEqual({ message: 'Second' });
  });

  async function twoEditors(): Promise<{
    desk: Desk;
    ada: Page;
    bob: Page;
  }> {
    const desk = await startDesk();
    const { page: ada } = await signIn(browser(), desk);
    const { page: bob } = await signIn(browser(), desk, { name: 'bob' });
    return { desk, ada, bob };
  }

  test('of two editors, the second sees who changed what before overwriting that', async () => {
    const { desk, ada, bob } = await twoEditors();
    for (const page of [ada, bob]) {
      await startEditing(page, lasting.message);
    }
    await messageOf(ada).fill('By Ada');
    await ada.getByLabel('Link (optional)', { exact: true }).fill('https://example.org/ada');
    await messageOf(bob).fill('By Bob');
    await bob.getByRole('button', { name: 'Save' }).click();
    await untilSaid(bob, 'Saved');
    await ada.getByRole('button', { name: 'Save' }).click();
    const conflict = ada.locator('#conflict');
    await conflict.getByText(/bob/).waitFor();
    expect(await conflict.locator('p').first().innerText()).toMatch(
      /bob edited .+Your change was not made\.$/,
    );
    await conflict.getByText('Now: By Bob').waitFor();
    await conflict.getByText('Yours: By Ada').waitFor();
    await ada.locator('#conflict:focus').waitFor();
    expect(await findViolations(ada)).toEqual([]);
    expect((await desk.active()).map(({ message }) => message)).toEqual(['By Bob']);
    await conflict.getByRole('button', { name: 'Save mine anyway' }).click();
    await untilSaid(ada, 'Saved');
    expect(await desk.active()).toMatchObject([{ message: 'By Ada', link: 'https://example.org/ada' }]);
  });

  test('of two editors, the second cannot save what the first withdrew, and may undo that', async () => {
    const { ada, bob } = await twoEditors();
    await startEditing(ada, lasting.message);
    await messageOf(ada).fill('By Ada');
    await bob.getByRole('button', { name: `Withdraw: ${lasting.message}` }).click();
    await untilSaid(bob, 'Withdrew');
    await ada.getByRole('button', { name: 'Save' }).click();
    await ada.locator('#conflict').getByText('undo that in the log first').waitFor();
    expect(await ada.getByRole('button', { name: 'Save mine anyway' }).count()).toBe(0);
    await ada.getByRole('link', { name: 'Log' }).click();
    await ada.getByRole('button', { name: 'Undo' }).first().click();
    await untilSaid(ada, 'Undid');
    await ada.getByRole('link', { name: 'Announcements', exact: true }).click();
    await ada.getByRole('link', { name: `Edit: ${lasting.message}` }).click();
    await ada.getByRole('heading', { name: /^Edit/ }).waitFor();
    expect(await messageOf(ada).inputValue()).toBe('By Ada');
  });

  test('of two editors, one whose list is old withdraws nothing that was changed since', async () => {
    const { desk, ada, bob } = await twoEditors();
    await startWriting(bob, 'Newer');
    await bob.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(bob, 'Published');
    await ada.getByRole('button', { name: /^Withdraw/ }).click();
    await ada.getByRole('alert').getByText(/bob/).waitFor();
    expect(await desk.history()).toHaveLength(2);
    await listOf(ada, 'Active').getByText('Newer').waitFor();
  });

  test('a list that becomes visible again shows what another editor did meanwhile', async () => {
    const { ada, bob } = await twoEditors();
    await startWriting(bob, 'Newer');
    await bob.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(bob, 'Published');
    await ada.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await listOf(ada, 'Active').getByText('Newer').waitFor();
  });

  test.each(['before', 'after'] as const)(
    'loses nothing and publishes once if the connection breaks %s the server acts',
    async (moment) => {
      const desk = await startDesk();
      const { page } = await signIn(browser(), desk);
      await startWriting(page, 'Once and only once');
      const cut = async (route: Route) => {
        if (route.request().method() === 'GET') return route.continue();
        if (moment === 'after') await route.fetch();
        return route.abort('connectionreset');
      };
      await page.route('**/api/**', cut);
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('alert').getByText('Nothing you typed is lost').waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Publish');
      await page.reload();
      await page.unroute('**/api/**', cut);
      await page.getByRole('button', { name: 'Publish' }).click();
      await untilSaid(page, 'Published');
      expect((await desk.history()).map(({ message }) => message).sort()).toEqual([
        'Once and only once',
        lasting.message,
      ]);

      await startEditing(page, 'Once and only once');
      await messageOf(page).fill('Edited once');
      await page.route('**/api/**', cut);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('Nothing you typed is lost').waitFor();
      await page.unroute('**/api/**', cut);
      await page.getByRole('button', { name: 'Save' }).click();
      await untilSaid(page, 'Saved');

      await page.route('**/api/**', cut);
      await page.getByRole('button', { name: 'Withdraw: Edited once' }).click();
      await page.getByRole('alert').getByText('does not answer').waitFor();
      await page.unroute('**/api/**', cut);
      await page.getByRole('button', { name: 'Try again' }).click();
      await untilSaid(page, 'Withdrew');
      const answer = await send(desk.server.port, {
        path: '/api/announcements/changes',
        headers: { Authorization: `Bearer ${desk.tokens.ada}` },
      });
      expect(JSON.parse(answer.body.toString()).total).toBe(3);
    },
  );

  test('works below a path', async () => {
    const desk = await startDesk();
    const proxy = createServer((from, to) => {
      const path = from.url?.replace(/^\/badge(?=\/)/, '');
      if (path === from.url) {
        to.writeHead(404).end();
        return;
      }
      const { method, headers } = from;
      const passed = request(
        { port: desk.server.port, host: '127.0.0.1', method, path, headers },
        (answer) => {
          to.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(to);
        },
      );
      from.pipe(passed);
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/badge`;
    const { page, complaints } = await signIn(browser(), desk, { url });
    await startWriting(page, 'Below a path');
    await untilPreview(page, 'Below a path');
    await page.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(page, 'Published');
    expect(complaints).toEqual([]);
  });
});
