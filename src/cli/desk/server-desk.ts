import { setTimeout as sleep } from 'node:timers/promises';
import { editorTokenPattern, expiredTokenSentence } from '../../contract/credentials.ts';
import { deskRoutes } from '../../contract/desk-routes.ts';
import { createHttpTransport, HttpFailure } from '../../contract/http-transport.ts';
import { safeText } from '../../kit/terminal-text.ts';
import { type CommandIo, RefusedError, UsageError } from '../program/command-io.ts';
import type { DeskOptions } from '../program/subcommand.ts';
import { createDesk, type Desk, queryText, unknownOutcome } from './desk.ts';
import { readLogins } from './logins.ts';
import { parseServerAddress } from './server-address.ts';

/** @param reason why it is this server, for `--verbose` */
export async function openServerDesk(server: string, reason: string, options: DeskOptions, io: CommandIo) {
  if (options.by !== undefined)
    throw new UsageError('--by goes with a folder: a server records the name of your token');
  if (options.data !== undefined)
    throw new UsageError('--data goes with a folder: a server reads its own counters');
  const address = parseServerAddress(server);
  if (options.verbose) io.err.write(`Server: ${safeText(address)} (${reason})\n`);
  return {
    ...openServer(address, givenToken(io.env) ?? (await storedToken(address))),
    name: address,
    where: () => `on ${safeText(address)}`,
    // Its answer already shows the change: it reads its content again before it answers.
    views: async () => [{ url: address, content: null, shows: true }],
  };
}

/** How long a server may take for its answer, and the pauses before it is asked again, ms. */
const patience = { timeout: 15_000, pauses: [300, 1_000] };

/** How often to wait for a second while a server is busy. */
const maxWaits = 5;

export function openServer(address: string, token: string): Desk {
  const { call } = createHttpTransport(new URL(address), { token, ...patience });
  return createDesk(async (operation, { id = '', query, body, ifMatch }) => {
    const [method, path] = deskRoutes.find((route) => route[2] === operation) ?? [];
    if (method === undefined) throw new Error(`the API has no ${operation}`);
    const request = {
      method,
      path: `/api${path.replace(':id', encodeURIComponent(id))}?${queryText(query)}`,
      body,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    };
    const ask = () =>
      call(request).catch((failure: unknown) => {
        throw failure instanceof HttpFailure ? new RefusedError(failureText(failure)) : failure;
      });
    let answer = await ask();
    // A long list may exceed the limit of a server.
    for (let waits = 0; answer.status === 429 && waits < maxWaits; waits += 1) {
      await sleep(1_000);
      answer = await ask();
    }
    const { error } = Object(answer.body) as { readonly error?: unknown };
    if (answer.status >= 300 && typeof error !== 'string') {
      const message = `${address} does not answer as a typebadge server does (status ${answer.status}); check the address`;
      // A proxy that waits in vain answers for a server that has worked.
      const mayHaveArrived = method !== 'GET' && answer.status >= 500;
      throw new RefusedError(failureText({ message, mayHaveArrived }));
    }
    if (answer.status !== 401) return answer;
    const reason = error === expiredTokenSentence ? 'it has expired' : 'it is wrong or was removed';
    throw new RefusedError(
      `${address} does not accept your token: ${reason}. With a new one: typebadge login ${address}. If TYPEBADGE_TOKEN is set, it is used instead: correct or unset it`,
    );
  });
}

function failureText({ message, mayHaveArrived }: Pick<HttpFailure, 'message' | 'mayHaveArrived'>): string {
  return mayHaveArrived ? `${message}. ${unknownOutcome}` : message;
}

export function givenToken(env: NodeJS.ProcessEnv): string | undefined {
  const token = env.TYPEBADGE_TOKEN?.trim();
  if (!token || editorTokenPattern.test(token)) return token || undefined;
  throw new UsageError('TYPEBADGE_TOKEN does not hold the token of an editor (tbe_…)');
}

async function storedToken(address: string): Promise<string> {
  const login = (await readLogins()).logins.find(({ server }) => server === address);
  if (login !== undefined) return login.token;
  throw new RefusedError(
    `you are not logged in to ${address}; do that first: typebadge login ${address} (the server's operator makes a token for you with typebadge editors add)`,
  );
}
