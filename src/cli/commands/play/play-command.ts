import { Command, InvalidArgumentError, Option } from 'commander';
import { parsePort } from '../../../server/settings/config-parsers.ts';
import { isPlain, parseServerUrl } from '../../desk/server-address.ts';
import { optionParser } from '../../program/arguments.ts';
import type { Invocation } from '../../program/command-io.ts';
import { optionFlags } from '../../typist/option-flags.ts';
import { profileOption } from '../../typist/profile-option.ts';
import { practiceOptions } from './practice-flags.ts';
import type { PlayFlags } from './run-play.ts';

const examples = `
Every round is kept on this computer. A typebadge server of this machine, or the one of --server, gets it, \
too: later, if it does not answer now.
Mode, language and layout are remembered; --words 30 --language en --layout qwerty brings back the defaults. \
Other options are saved when you change them on the screen (Ctrl+O); a flag applies to this run only, and \
--no-NAME, such as --no-keyboard, turns an option off.
WPM counts the spaces between words, as most typing tests do (standard WPM).

Examples:
  $ typebadge play
  $ typebadge play --time 60 --language de
  $ typebadge play --code python
  $ typebadge play --language list   lists them; also --layout list, --code list
  $ typebadge play .                 code of this folder, a function at a time
  $ typebadge play chapter.txt
  $ typebadge play --stop-on letter
  $ fortune | typebadge play -
  $ typebadge play --server https://typing.example.org
  $ typebadge play --show-key > key.txt`;

export function createPlayCommand({ io }: Invocation): Command {
  const command = new Command('play')
    .description('Practise typing in this terminal: words, timed tests, quotes, code or your own text.')
    .addHelpText('after', examples)
    .argument('[file]', 'a text of your own, or a folder with code, such as . here; - reads standard input')
    .action(async (input?: string) => {
      const { runPlayCommand } = await import('./run-play.ts');
      await runPlayCommand(command.opts<PlayFlags>(), input, io);
    });
  addGroup('What to type:', [
    ...practiceOptions(),
    new Option('--start-over', 'start a long text from the beginning'),
  ]);
  addGroup('Server and history:', [
    new Option('--server <url>', 'the server to play with').argParser(parseServer),
    new Option(
      '-p, --port <number>',
      'port of a server on this machine (default: 8787, if one runs there); 0: use none',
    ).argParser(optionParser(parsePort)),
    new Option(
      '--offline',
      'contact no server; with --server, rounds wait and are sent at a later start',
    ).conflicts('data'),
    new Option('--data <folder>', 'keep the results in this folder'),
    profileOption('a profile with its own options, key and history; created at first use'),
    new Option('--key-file <file>', 'use the player key in this file instead of your own'),
    new Option(
      '--show-key',
      'print your player key and exit; with it, you can continue your history on another computer',
    ),
  ]);
  addGroup('Rules and looks:', optionFlags());
  return command;

  function addGroup(heading: string, options: readonly Option[]): void {
    command.optionsGroup(heading);
    for (const option of options) command.addOption(option);
  }
}

function parseServer(text: string): URL {
  const url = parseServerUrl(text);
  // It is kept with the rounds.
  if (url !== undefined && isPlain(url)) return url;
  throw new InvalidArgumentError(
    'Give the address of a server, such as https://badge.example.org or http://127.0.0.1:8787.',
  );
}
