import type { FieldProblem } from '../../announcements/plain-values.ts';
import { editorTokenPattern, expiredTokenSentence } from '../../contract/credentials.ts';
import type { ApiResponse } from '../../contract/transport.ts';
import { safeText } from '../../kit/terminal-text.ts';
import { type CommandIo, RefusedError, UsageError } from '../program/command-io.ts';
import { createHttpTransport } from '../program/http-transport.ts';
import { type ChosenServer, openLogins } from '../program/logins.ts';
import { optionSentence } from './change-options.ts';
import { createDesk, type Desk, ServerRefusal } from './desk.ts';
import { type DeskOptions, type OpenDesk, placeOption } from './desk-place.ts';
import { parseServerAddress } from './server-address.ts';

export async function openServerDesk(
  { server, reason }: ChosenServer,
  options: DeskOptions,
  io: CommandIo,
  configDir: string,
): Promise<OpenDesk> {
  if (options.by !== undefined)
    throw new UsageError('--by goes with a folder: a server records the name of your token');
  if (options.data !== undefined)
    throw new UsageError('--data goes with a folder: a server reads its own counters');
  const address = parseServerAddress(server);
  if (options.verbose) io.err.write(`Server: ${safeText(address)} (${reason})\n`);
  return {
    ...openServer(address, await findToken(address, configDir, io.env)),
    place: { kind: 'server', name: address, option: placeOption(options), cwd: io.cwd },
    // It has answered, and reads what it has just written before it answers.
    views: async () => [{ url: address, content: null, shows: true }],
  };
}

/** A token, and where it came from: what helps if it is refused depends on that. */
export interface FoundToken {
  readonly token: string;
  readonly from: 'variable' | 'login';
}

/** The editors' API of a server elsewhere. */
export function openServer(address: string, { token, from }: FoundToken): Desk {
  return createDesk(createHttpTransport(address, token), (answer) => refusalOf(address, from, answer));
}

/** The token of TYPEBADGE_TOKEN, else that of `login`. */
async function findToken(server: string, configDir: string, env: NodeJS.ProcessEnv): Promise<FoundToken> {
  const given = env.TYPEBADGE_TOKEN?.trim();
  if (given !== undefined && given !== '') {
    if (editorTokenPattern.test(given)) return { token: given, from: 'variable' };
    throw new UsageError('TYPEBADGE_TOKEN does not hold the token of an editor (tbe_…)');
  }
  const login = await openLogins(configDir).find(server);
  if (login !== undefined) return { token: login.token, from: 'login' };
  throw new RefusedError(
    `you are not logged in to ${server}; do that first: typebadge login ${server} (the server's operator makes a token for you with typebadge editors add)`,
  );
}

interface ErrorBody {
  readonly code: string;
  readonly error: string;
  readonly problems?: readonly FieldProblem[];
}

function refusalOf(server: string, from: FoundToken['from'], answer: ApiResponse): RefusedError {
  const { code, error, problems } = answer.body as ErrorBody;
  if (code !== 'UNAUTHENTICATED')
    return new ServerRefusal(code, problems?.map(optionSentence).join('; ') ?? error);
  const reason = error === expiredTokenSentence ? 'it has expired' : 'it is wrong or was removed';
  return new ServerRefusal(code, describeRefusedToken(server, from, reason));
}

/** The variable may be set and forgotten: logging in again would change nothing. */
function describeRefusedToken(server: string, from: FoundToken['from'], reason: string): string {
  return from === 'variable'
    ? `${server} does not accept the token in TYPEBADGE_TOKEN: ${reason}. Correct the variable, or unset it to use the token of typebadge login`
    : `${server} does not accept your token: ${reason}. With a new one: typebadge login ${server}`;
}
