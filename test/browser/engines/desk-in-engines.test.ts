import { expect, onTestFinished, test } from 'vitest';
import { newEditors } from '../../support/editors.ts';
import { startTestServer } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { untilBadge } from './badge-view.ts';
import { describeInEngines } from './describe-in-engines.ts';

describeInEngines('the page for editors', (tab) => {
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
    await until(() => tab().run(() => document.activeElement?.textContent === 'New announcement'));
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
