import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseHistory } from '../../src/server/stores/content/history-file.ts';
import { parseOriginsFile } from '../../src/server/stores/content/origins-file.ts';
import { send } from '../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../support/test-server.ts';
import { factor, seed } from './amount.ts';
import { damageText } from './file-damage.ts';
import { createRandom } from './random.ts';

const history = {
  announcements: [{ ...lasting, id: '2026-002', published: '2026-02-05T09:00:00Z' }, lasting],
};
const origins = { origins: ['https://good.example', 'https://*.wild.example:8443'] };
const high = { rate: 100_000, burst: 100_000 };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    files: { 'history.json': history, 'origins.json': origins },
    badgeLimits: { assets: high, content: high, analytics: high, pages: high },
  });
});
afterAll(() => server.close());

const paths = [
  '/content/announcement.json',
  '/content/history.json',
  '/history',
  '/feed.atom',
  '/feed.json',
  '/demo',
  '/js/typebadge-inject.min.js',
  '/pulse?event=click&id=2026-001',
];

test('while its files are damaged repeatedly, a server answers from the last valid version, and takes up the next one', async () => {
  for (let number = 0; number < 2 * factor; number += 1) {
    const random = createRandom(seed, number);
    const [name, value] = random.pick([
      ['history.json', history],
      ['origins.json', origins],
    ] as const);
    for (let left = 6; left > 0; left -= 1) {
      const text = damageText(JSON.stringify(value, undefined, 2), random);
      if (random.once(2)) await writeFile(`${server.contentDir}/${name}`, text);
      else {
        await writeFile(`${server.contentDir}/new`, text);
        await rename(`${server.contentDir}/new`, `${server.contentDir}/${name}`);
      }
      for (const path of paths) {
        const { status, body, headers } = await send(server.port, {
          path,
          headers: { Origin: 'https://evil.example' },
        });
        expect([200, 204, 400, 404], `${number} ${path} ${text}`).toContain(status);
        expect(headers['access-control-allow-origin'], text).toBeUndefined();
        if (headers['content-type'] === 'application/json') JSON.parse(body.toString());
      }
      await wait(random.below(120));
    }
    const message = `Good again, number ${number}`;
    await server.writeContent('origins.json', origins);
    await server.writeContent('history.json', { announcements: [{ ...lasting, message }] });
    let current = '';
    while (!current.includes(message)) {
      await wait(20);
      current = (await send(server.port, { path: '/content/announcement.json' })).body.toString();
    }
  }
});

test('whatever the content files contain, they are accepted or refused with reasons, and accepted ones are safe', () => {
  for (let number = 0; number < 500 * factor; number += 1) {
    const random = createRandom(seed, number);
    const text = damageText(JSON.stringify(history, undefined, 2), random);
    const result = parseHistory(text);
    if ('problems' in result) {
      expect(result.problems.length, text).toBeGreaterThan(0);
      for (const { message } of result.problems) expect(message, text).toMatch(/^\P{Cc}{3,}$/u);
    } else {
      for (const { message, link, published, expires } of result.history.announcements) {
        expect(message, text).toMatch(/^\P{Cc}{1,280}$/u);
        expect(link, text).toMatch(/^(?:https?:\/\/.*)?$/);
        expect(Date.parse(expires), text).toBeGreaterThan(Date.parse(published));
      }
    }
    const list = parseOriginsFile(damageText(JSON.stringify(origins), random));
    if (!('problems' in list))
      for (const { entry } of list.patterns) expect(entry).toMatch(/^https?:\/\/[^/@\s]+$/);
  }
});
