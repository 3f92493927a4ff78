import { afterEach, expect, test } from 'vitest';
import { parseTrustProxy } from '../../../../src/server/settings/config-parsers.ts';
import { createSessionClient } from '../../../../src/tui/link/session/session-client.ts';
import { startTestServer } from '../../../support/test-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const setup = { punctuation: false, isStrict: true };
const trustProxy = parseTrustProxy('127.0.0.1');

test.each([
  [
    { trustProxy, maxSessionsPerClient: 1 },
    'too many of your rounds are open there; leave play in another window',
  ],
  [{ maxSessions: 1 }, 'too many people practise there'],
])('with %o, a typist learns in words of play why there are none', async (limits, reason) => {
  const server = await startTestServer(limits);
  const client = createSessionClient(new URL(server.url));
  open.push(server, client);
  await client.createSession(setup);
  await expect(client.createSession(setup)).rejects.toMatchObject({
    kind: 'away',
    code: 'SESSION_LIMIT_REACHED',
    message: reason,
  });
});

test('what the server says becomes a part of a sentence: it has no end of its own', async () => {
  const server = await startTestServer();
  const client = createSessionClient(new URL(server.url));
  open.push(server, client);
  await expect(client.startRound('f'.repeat(32))).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
    message: 'There is no session with this id. It may have expired, or belong to another player',
  });
});
