import { afterEach, expect, test } from 'vitest';
import { send } from '../../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../../support/test-server.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const messages = [
  '<img src=x onerror=alert(1)> &amp; ]]> \u200b\u2066 </script>',
  '</title><script>alert(1)</script>',
  '--><svg onload=alert(1)>',
  '</p></li></main></body></html><h1>fake</h1>',
  ']]></title></entry></feed>',
  '{{alert(1)}} `alert(1)` $& $1',
];
/** XML 1.0 allows no others, and a page needs none; `\t\n\r` apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/;

test.each(messages)('the message %j is only text on every page and in every feed', async (message) => {
  const link = 'https://example.org/?a=1&b=%22%3E%3Cscript%3E';
  server = await startTestServer({
    files: {
      'history.json': {
        announcements: [{ ...lasting, message, link, '<script>\u001b[31m': '<script>\u0007' }],
        changes: [],
      },
    },
  });
  const { port } = server;
  const bodyOf = async (path: string) => {
    const { status, body } = await send(port, { path });
    expect([path, status]).toEqual([path, 200]);
    return body.toString();
  };
  for (const path of ['/demo', '/history', '/feed.atom']) {
    const text = await bodyOf(path);
    expect(text).not.toMatch(/<(?:img src=x|script>alert|svg onload|h1>fake)/);
    expect(text).not.toMatch(control);
  }
  // Everything of the message is escaped, so it ends no element of the feed.
  expect((await bodyOf('/feed.atom')).match(/<\/(?:entry|feed)>/g)).toEqual(['</entry>', '</feed>']);
  expect((await bodyOf('/history')).match(/<\/html>/g)).toHaveLength(1);
  expect(JSON.stringify(JSON.parse(await bodyOf('/feed.json')))).toContain(
    JSON.stringify(message).slice(1, -1),
  );
  expect(JSON.parse(await bodyOf('/content/announcement.json')).message).toBe(message);
  expect(await bodyOf('/content/history.json')).not.toContain('<script>\\u0007');
});
