import { afterEach, expect, test } from 'vitest';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { createHttpTransport } from '../../../src/tui/link/http-transport.ts';
import { createSessionApi } from '../../../src/tui/link/session.ts';
import { defaultOptions } from '../../../src/tui/record/options.ts';
import { newState, sessionSetup } from '../../../src/tui/state/state.ts';
import { startTestServer } from '../../support/test-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const setup = sessionSetup(newState(defaultOptions));
const trustProxy = parseTrustProxy('127.0.0.1');

test.each([
  [
    { trustProxy, maxSessionsPerClient: 1 },
    'too many of your rounds are open there; leave play in another window',
  ],
  [{ maxSessions: 1 }, 'too many people practise there'],
])('with %o, a typist learns in words of play why there are none', async (limits, reason) => {
  const server = await startTestServer(limits);
  const http = createHttpTransport(new URL(server.url));
  const client = createSessionApi(http.call);
  open.push(server, http);
  await client.createSession(setup);
  await expect(client.createSession(setup)).rejects.toMatchObject({
    kind: 'away',
    code: 'SESSION_LIMIT_REACHED',
    message: reason,
  });
});

test('what the server says becomes a part of a sentence: it has no end of its own', async () => {
  const server = await startTestServer();
  const http = createHttpTransport(new URL(server.url));
  const client = createSessionApi(http.call);
  open.push(server, http);
  await expect(client.startRound('f'.repeat(32))).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
    message: 'There is no session with this id. It may have expired, or belong to another player',
  });
});
