import { Command } from 'commander';
import { editorTokenPattern } from '../../../contract/credentials.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { deleteLogin, type Login, readLogins, storeLogin } from '../../desk/logins.ts';
import { parseServerAddress } from '../../desk/server-address.ts';
import { type CommandIo, type Invocation, RefusedError, UsageError } from '../../program/command-io.ts';
import { readSecret } from '../../program/questions.ts';
import { presentIn, type Report, type ReportOptions } from '../../program/report.ts';

const loginHelp = `
The server's operator makes a token for you (typebadge editors add). Paste it when asked for it: it is not \
shown. It is kept in your config folder, in a file that only you may read. Programs set TYPEBADGE_TOKEN \
instead. From then on announce and origins work on that server; --content or --server names another place, \
and so does the variable TYPEBADGE_SERVER.

Examples:
  $ typebadge login https://badge.example.org
  $ typebadge announce publish "We have moved"
  $ typebadge login                    lists where you are logged in`;

const logoutHelp = `
The token itself stays valid; typebadge editors remove revokes it.

Example:
  $ typebadge logout https://badge.example.org`;

export function createLoginCommand(invocation: Invocation): Command {
  return new Command('login')
    .argument('[url]', 'address of the server; without it, lists where you are logged in')
    .option('--json', 'print the result as JSON, for programs')
    .addHelpText('after', loginHelp)
    .action((url: string | undefined, options: ReportOptions) =>
      presentIn(invocation, options, (io) => (url === undefined ? listLogins() : logIn(url, io))),
    );
}

export function createLogoutCommand(invocation: Invocation): Command {
  return new Command('logout')
    .argument('[url]', 'address of the server (default: the one that commands work on)')
    .option('--json', 'print the result as JSON, for programs')
    .addHelpText('after', logoutHelp)
    .action((url: string | undefined, options: ReportOptions) =>
      presentIn(invocation, options, () => logOut(url)),
    );
}

/** Tries the token before it is stored. */
async function logIn(url: string, io: CommandIo): Promise<Report> {
  const server = parseServerAddress(url);
  const { givenToken, openServer } = await import('../../desk/server-desk.ts');
  const token = givenToken(io.env) ?? (await askForToken(server, io));
  const { editor } = await openServer(server, token).list({ limit: 1 });
  await storeLogin({ server, editor, token }).catch((error: Error) => {
    throw new RefusedError(`the token could not be stored: ${error.message}`);
  });
  return {
    value: { server, editor },
    text: (paint) =>
      [
        `${paint.good('✔')} You are ${safeText(editor)} at ${server}.`,
        '',
        'Announcements and origins are now changed there: typebadge announce publish "…"',
        paint.dim('--content, --server and TYPEBADGE_SERVER name another place; typebadge logout goes back.'),
      ].join('\n'),
  };
}

async function askForToken(server: string, io: CommandIo): Promise<string> {
  const token = await readSecret(`Your token for ${server}`, io);
  if (editorTokenPattern.test(token)) return token;
  throw new UsageError(
    token === ''
      ? 'the token is missing: paste it when asked, or pipe it in'
      : 'that is not an editor’s token: one begins with tbe_ and has 47 characters',
  );
}

async function listLogins(): Promise<Report> {
  const { logins, defaultServer } = await readLogins();
  const rowOf = ({ server, editor }: Login) =>
    `${server}  as ${safeText(editor)}${server === defaultServer ? '  (the default)' : ''}`;
  return {
    value: { servers: logins.map(({ server, editor }) => ({ server, editor })) },
    text: () =>
      logins.length === 0
        ? 'You are not logged in anywhere. Log in: typebadge login https://badge.example.org'
        : logins.map(rowOf).join('\n'),
  };
}

/** Without an address, logs out of the server that commands work on. */
async function logOut(url: string | undefined): Promise<Report> {
  const { logins, defaultServer } = await readLogins();
  const server = url === undefined ? defaultServer : parseServerAddress(url);
  if (server === null) throw new UsageError('name the server: typebadge login lists where you are logged in');
  if (!logins.some((login) => login.server === server))
    throw new RefusedError(`you are not logged in to ${server}`);
  await deleteLogin(server);
  const isBack = server === defaultServer;
  return {
    value: { server },
    text: (paint) =>
      `${paint.good('✔')} The token for ${server} was deleted from this computer.${isBack ? '\nAnnouncements and origins are now changed on this computer again.' : ''}`,
  };
}
