import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readHistory } from '../../../src/cli/desk/desk.ts';
import { openServer } from '../../../src/cli/desk/server-desk.ts';
import { runHere } from '../../support/typebadge-here.ts';

const token = `tbe_${'A'.repeat(43)}`;
const running: Server[] = [];

afterEach(() => {
  for (const server of running.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** What a page of a list says; `page` counts the requests of that list from 0. */
type Page = (page: number) => object;

async function listenWith(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answerWith = (body: object) => listenWith((_, response) => void response.end(JSON.stringify(body)));

/** A server with such lists, and the number of its requests. */
async function startHostile(lists: { announcements?: Page; changes?: Page }) {
  const asked = { announcements: 0, changes: 0 };
  const url = await listenWith(({ url = '' }, response) => {
    const name = url.startsWith('/api/announcements/changes') ? 'changes' : 'announcements';
    const page = lists[name] ?? (() => ({ [name]: [] }));
    response.writeHead(200, { 'Content-Type': 'application/json', ETag: '"1"' });
    response.end(JSON.stringify({ total: 1, current: null, editor: 'anna', ...page(asked[name]++) }));
  });
  return { asked, desk: openServer(url, token) };
}

const instant = '2026-01-02T03:04:05Z';

/** An announcement as the server lists it, with so long a message. */
const ofLength = (characters: number) => ({
  ...{ id: 'a', message: 'x'.repeat(characters), link: '', published: instant, expires: instant },
  state: 'active',
});

const listOf = (entry: object) => ({
  ...{ total: 1, current: null, editor: 'anna' },
  announcements: [{ ...ofLength(1), ...entry }],
});

test.each<[readonly string[], object]>([
  [['announce', 'stats'], {}],
  [['announce', 'stats', '--json'], { announcements: [{}] }],
  [['announce', 'list'], listOf({ id: '\u001b[31ma' })],
  [['announce', 'show', 'a'], listOf({ id: 'a\n✔ done' })],
  [['origins', 'list'], {}],
  [['origins', 'list'], { origins: [7] }],
  [['origins', 'add', 'https://example.org'], { origins: 7 }],
])('%s of a server that answers %j says what is wrong', async (command, answer) => {
  const url = await answerWith(answer);
  const { code, stderr, stdout } = await runHere([...command, '--server', url], {
    env: { TYPEBADGE_TOKEN: token },
  });
  expect(code).toBe(1);
  expect(`${stdout}${stderr}`.replaceAll('\n', ' ')).toContain(
    `does not answer as a typebadge server does: it sent an answer that cannot be read; check its address`,
  );
});

test('a change whose answer cannot be read is not reported as made', async () => {
  const { desk } = await startHostile({});
  await expect(desk.withdraw('a')).rejects.toThrow(/cannot be read.*not known whether the change was made/);
  await expect(desk.undo(1)).rejects.toThrow('it sent an answer that cannot be read');
});

test.each([
  [502, true],
  [504, true],
  [404, false],
])(
  'a page with the status %i in place of the answer to a change says whether it may have been made',
  async (status, isUnknown) => {
    const url = await listenWith((_, response) => void response.writeHead(status).end('<h1>Sorry</h1>'));
    const desk = openServer(url, token);
    const unknown = 'It is not known whether the change was made: check before you try again';
    const sentence = expect.stringContaining(unknown);
    const refusal = { message: isUnknown ? sentence : expect.not.stringContaining(unknown) };
    await expect(desk.withdraw('a')).rejects.toMatchObject(refusal);
    await expect(readHistory(desk)).rejects.not.toMatchObject({ message: sentence });
  },
);

test('the list of sites shows control characters of the server instead of obeying them', async () => {
  const url = await answerWith({ origins: ['https://a.example\u001b[2J'] });
  const { code, stdout } = await runHere(['origins', 'list', '--server', url], {
    env: { TYPEBADGE_TOKEN: token },
  });
  expect(code).toBe(0);
  expect(stdout).toContain('https://a.example');
  expect(stdout).not.toContain('\u001b');
});

test.each<[string, Parameters<typeof startHostile>[0], string, number?]>([
  [
    'always names a new page',
    { changes: (page) => ({ changes: [], next: String(page) }) },
    'its list is longer than any history can be',
    25,
  ],
  [
    'names a page by a number',
    { changes: () => ({ changes: [], next: 7 }) },
    'it sent an answer that cannot be read',
    1,
  ],
  [
    'sends changes of another shape',
    { changes: () => ({ changes: [null, { number: 1, at: 7, by: {}, action: 'shout' }] }) },
    'it sent an answer that cannot be read',
    1,
  ],
  [
    'sends announcements without their fields',
    { announcements: () => ({ announcements: [{}], editor: { length: 1e9 } }) },
    'it sent an answer that cannot be read',
    1,
  ],
  [
    'sends a page of more than 8 MiB',
    { announcements: () => ({ announcements: [ofLength(9_000_000)] }) },
    'is too long',
    1,
  ],
])('a server that %s is refused with a sentence', async (_, lists, sentence, requests) => {
  const { asked, desk } = await startHostile(lists);
  await expect(readHistory(desk)).rejects.toThrow(sentence);
  const count = lists.changes === undefined ? asked.announcements : asked.changes;
  if (requests !== undefined) expect(count).toBe(requests);
});

test('a redirect to another address is not followed with the token', async () => {
  const asked: (string | undefined)[] = [];
  const target = await listenWith((request, response) => {
    asked.push(request.url);
    response.end('{}');
  });
  const url = await listenWith((_, response) => {
    response.writeHead(308, { Location: `${target}/api/announcements?limit=1` }).end();
  });
  const { code, stderr } = await runHere(['login', url], { env: { TYPEBADGE_TOKEN: token } });
  expect([code, stderr]).toEqual([1, expect.stringContaining('does not answer as a typebadge server')]);
  expect(asked).toEqual([]);
});
