import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newEditors } from '../support/editors.ts';
import { send } from '../support/http-client.ts';
import { lasting } from '../support/test-server.ts';
import { describeInChromium } from './chromium.ts';
import {
  type Desk,
  listOf,
  messageOf,
  signIn,
  startDesk,
  startEditing,
  startWriting,
  untilPreview,
  untilSaid,
} from './desk-visit.ts';
import { visit } from './embedding.ts';
import { findViolations } from './page-check.ts';

describeInChromium('the page for editors in trouble', (browser) => {
  test('has a strict policy, is never cached or framed, and violates nothing', async () => {
    const { server } = await startDesk();
    const { headers } = await send(server.port, { path: '/desk' });
    const policy = String(headers['content-security-policy']);
    for (const part of [
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"],
      ...[
        "form-action 'none'",
        "base-uri 'none'",
        "trusted-types 'none'",
        "require-trusted-types-for 'script'",
      ],
    ])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    for (const path of ['/desk', '/desk/preview', '/desk/desk.js', '/desk/desk.css']) {
      const answer = await send(server.port, { path });
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 200, 'no-store']);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const { page } = await visit(browser(), 'about:blank');
    await page.setContent(`<iframe src="${server.url}/desk"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });

  test('is gone with desk off, and the API stays', async () => {
    const { server, tokens } = await startDesk({ desk: 'off' });
    for (const path of ['/desk', '/desk/preview', '/desk/desk.js'])
      expect((await send(server.port, { path })).status).toBe(404);
    const headers = { Authorization: `Bearer ${tokens.ada}` };
    expect((await send(server.port, { path: '/api/announcements', headers })).status).toBe(200);
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

  test('publishes nothing while a language is there twice', async () => {
    const desk = await startDesk();
    const { page } = await signIn(browser(), desk);
    await startWriting(page, 'Hello');
    await page.getByText('More:').click();
    for (const message of ['Hallo', 'Servus']) {
      await page.getByRole('button', { name: 'Add a language' }).click();
      const row = page.getByRole('group', { name: 'Translation' }).last();
      await row.getByLabel('Language, such').fill('de');
      await row.getByLabel('Message').fill(message);
    }
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('This language is there twice').waitFor();
    expect(await desk.history()).toHaveLength(1);
  });

  test('refuses a wrong token in one sentence', async () => {
    const { server } = await startDesk();
    const { page } = await visit(browser(), `${server.url}/desk#log`);
    await page.getByLabel('Token').fill('tbe_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This token is not accepted').waitFor();
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
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
    await page.getByLabel('Token').fill(tokens.ada);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => message.inputValue()).toBe('Typed with care');
    await page.getByRole('button', { name: 'Publish' }).click();
    await untilSaid(page, 'Published');
    expect((await desk.active()).map(({ severity }) => severity)).toEqual(['critical']);
  });

  async function twoEditors(): Promise<{
    desk: Desk;
    ada: import('playwright-core').Page;
    bob: import('playwright-core').Page;
  }> {
    const desk = await startDesk();
    const { page: ada } = await signIn(browser(), desk);
    const { page: bob } = await signIn(browser(), desk, { name: 'bob' });
    return { desk, ada, bob };
  }

  test('of two editors, the second sees who changed what before overwriting it', async () => {
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
    await conflict.getByText('Now: By Bob').waitFor();
    await conflict.getByText('Yours: By Ada').waitFor();
    expect(await findViolations(ada)).toEqual([]);
    expect((await desk.active()).map(({ message }) => message)).toEqual(['By Bob']);
    await conflict.getByRole('button', { name: 'Save mine anyway' }).click();
    await untilSaid(ada, 'Saved');
    expect(await desk.active()).toMatchObject([{ message: 'By Ada', link: 'https://example.org/ada' }]);
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

  test.each(['before', 'after'] as const)(
    'loses nothing and publishes once if the connection breaks %s the server acts',
    async (moment) => {
      const desk = await startDesk();
      const { page } = await signIn(browser(), desk);
      await startWriting(page, 'Once and only once');
      const cut = async (route: import('playwright-core').Route) => {
        if (route.request().method() === 'GET') return route.continue();
        if (moment === 'after') await route.fetch();
        return route.abort('connectionreset');
      };
      await page.route('**/api/**', cut);
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('alert').getByText('Nothing you typed is lost').waitFor();
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
