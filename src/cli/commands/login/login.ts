import { editorTokenPattern } from '../../../contract/credentials.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { typistFolders } from '../../../tui/record/folders.ts';
import { parseServerAddress } from '../../desk/server-address.ts';
import { type FoundToken, openServer } from '../../desk/server-desk.ts';
import { type CommandIo, RefusedError, UsageError } from '../../program/command-io.ts';
import { type Login, openLogins } from '../../program/logins.ts';
import { readSecret } from '../../program/questions.ts';
import type { Report } from '../../program/report.ts';

const logins = () => openLogins(typistFolders().config);

/** Tries the token before it is stored. */
export async function logIn(url: string, io: CommandIo): Promise<Report> {
  const server = parseServerAddress(url);
  const found = await readToken(server, io);
  const { token } = found;
  const { editor } = (await openServer(server, found).list({ limit: 1 })).value;
  await logins()
    .keep({ server, editor, token })
    .catch((error: Error) => {
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

async function readToken(server: string, io: CommandIo): Promise<FoundToken> {
  const given = io.env.TYPEBADGE_TOKEN?.trim();
  const token = given || (await readSecret(`Your token for ${server}`, io));
  if (editorTokenPattern.test(token)) return { token, from: given ? 'variable' : 'login' };
  throw new UsageError(
    token === ''
      ? 'the token is missing: paste it when asked, or pipe it in'
      : 'that is not an editor’s token: one begins with tbe_ and has 47 characters',
  );
}

export async function listLogins(): Promise<Report> {
  const [known, defaultServer] = await Promise.all([logins().list(), logins().defaultServer()]);
  const rowOf = ({ server, editor }: Login) =>
    `${server}  as ${safeText(editor)}${server === defaultServer ? '  (the default)' : ''}`;
  return {
    value: { servers: known.map(({ server, editor }) => ({ server, editor })) },
    text: () =>
      known.length === 0
        ? 'You are not logged in anywhere. Log in: typebadge login https://badge.example.org'
        : known.map(rowOf).join('\n'),
  };
}

/** Without an address: of the server that commands work on. */
export async function logOut(url: string | undefined): Promise<Report> {
  const defaultServer = await logins().defaultServer();
  const server = url === undefined ? defaultServer : parseServerAddress(url);
  if (server === undefined)
    throw new UsageError('name the server: typebadge login lists where you are logged in');
  if (!(await logins().remove(server))) throw new RefusedError(`you are not logged in to ${server}`);
  return {
    value: { server },
    text: (paint) =>
      [
        `${paint.good('✔')} The token for ${server} was deleted from this computer.`,
        ...(server === defaultServer
          ? ['Announcements and origins are now changed on this computer again.']
          : []),
      ].join('\n'),
  };
}
