import { Command } from 'commander';
import type { Invocation } from '../../program/command-io.ts';
import { presentIn, type ReportOptions } from '../../program/report.ts';

const loginHelp = `
The server's operator makes a token for you (typebadge editors add). Paste it when
asked for it: it is not shown. It is kept in your config folder, in a file that
only you may read. Programs set TYPEBADGE_TOKEN instead.
From then on announce and origins work on that server; --content or --server
names another place, and so does the variable TYPEBADGE_SERVER.

Examples:
  $ typebadge login https://badge.example.org
  $ typebadge announce publish "We have moved"
  $ typebadge login                    lists where you are logged in`;

/** `typebadge login`: keeps an editor's token for a server. */
export function createLoginCommand(invocation: Invocation): Command {
  const command = new Command('login')
    .description('Logs you in to a server as an editor: asks for your token, checks it and stores it.')
    .argument('[url]', 'address of the server; without it, lists where you are logged in')
    .helpOption('-h, --help', 'print this help')
    .option('--json', 'print the result as JSON, for programs')
    .addHelpText('after', loginHelp);
  return command.action(async (url: string | undefined) => {
    const { listLogins, logIn } = await import('./login.ts');
    await presentIn(invocation, command.opts<ReportOptions>(), (io) =>
      url === undefined ? listLogins() : logIn(url, io),
    );
  });
}

/** `typebadge logout`: deletes it. */
export function createLogoutCommand(invocation: Invocation): Command {
  const command = new Command('logout')
    .description(
      'Deletes your token for a server from this computer. The token stays valid; typebadge editors remove revokes it.',
    )
    .argument('[url]', 'address of the server (default: the one that commands work on)')
    .helpOption('-h, --help', 'print this help')
    .option('--json', 'print the result as JSON, for programs')
    .addHelpText('after', '\nExample:\n  $ typebadge logout https://badge.example.org');
  return command.action(async (url: string | undefined) => {
    const { logOut } = await import('./login.ts');
    await presentIn(invocation, command.opts<ReportOptions>(), () => logOut(url));
  });
}
