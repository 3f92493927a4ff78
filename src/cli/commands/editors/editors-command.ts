import type { Command } from 'commander';
import type { Invocation } from '../../program/command-io.ts';
import { createGroup, createSubcommand, zoneOption } from '../../program/subcommand.ts';
import type { AddEditorOptions, EditorsOptions } from './editors.ts';

const overview = `
An editor with a token can publish from another computer, with the same
commands. Run these on the server's computer; give the token to the
editor, who enters it after "typebadge login". Tokens travel over https only: see
docs/deploying.md for the proxy. A running server applies a change at once.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Examples:
  $ typebadge editors add anna --expires 90d
  $ typebadge editors list`;

/** `typebadge editors …`: who may edit from elsewhere. */
export function createEditorsCommand(invocation: Invocation): Command {
  return createGroup(
    invocation,
    'editors',
    'Shows and changes who may publish from other computers.',
    overview,
    [
      createSubcommand<AddEditorOptions>({
        name: 'add',
        argument: ['<name>', 'name of the editor, recorded in the log'],
        summary: 'make a token for an editor',
        description:
          'Makes a token for an editor and shows it once, alone on a line. Only a hash of it is kept.',
        options: [
          [
            '--expires <moment>',
            'when the token ends: 90d, 2026-12-31 (default: when you remove the editor)',
          ],
          zoneOption,
        ],
        examples: ['editors add anna', 'editors add "Newsroom Berlin" --expires 90d'],
        isLocal: true,
        run: async ([name = ''], options, io) =>
          (await import('./editors.ts')).addEditorToken(name, options, io),
      }),
      createSubcommand<EditorsOptions>({
        name: 'list',
        summary: 'list who may publish from other computers',
        description: 'Lists who may publish from other computers, and until when.',
        options: [zoneOption],
        examples: ['editors list', 'editors list --json'],
        isLocal: true,
        run: async (_, options, io) => (await import('./editors.ts')).listEditors(options, io),
      }),
      createSubcommand<EditorsOptions>({
        name: 'remove',
        argument: ['<name>', 'as the list shows it'],
        summary: 'revoke the token of an editor',
        description: 'Revokes the token of an editor, at once.',
        examples: ['editors remove anna'],
        isLocal: true,
        run: async ([name = ''], options, io) =>
          (await import('./editors.ts')).removeEditorToken(name, options, io),
      }),
    ],
  );
}
