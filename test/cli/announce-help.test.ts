import { Command } from 'commander';
import { expect, test } from 'vitest';
import { createAnnounceCommand } from '../../src/cli/commands/announce/announce-command.ts';
import { createOriginsCommand } from '../../src/cli/commands/origins/origins-command.ts';

function withHelpWidth(command: Command): Command {
  const program = new Command('typebadge').addCommand(command);
  for (const one of [command, ...command.commands])
    one.configureOutput({ getOutHelpWidth: () => 80, getOutHasColors: () => false });
  return program;
}

/** The help as printed, examples included. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ ...command.configureOutput(), writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

const announce = createAnnounceCommand();
const origins = createOriginsCommand();
withHelpWidth(announce);
withHelpWidth(origins);
const all = [announce, origins, ...announce.commands, ...origins.commands];

test.each(all.map((command) => [`${command.parent?.name()} ${command.name()}`, command] as const))(
  'the help of %s has examples of itself, a line for every option, and fits into 80 columns',
  (_, command) => {
    const help = helpOf(command);
    const path =
      command.parent?.name() === 'typebadge' ? command.name() : `${command.parent?.name()} ${command.name()}`;
    expect(help).toMatch(new RegExp(`Examples:\\n(?: {2}\\$ typebadge ${path}.*\\n)+`));
    for (const { long, description } of command.options) {
      expect(help).toContain(long);
      expect(description).not.toBe('');
    }
    for (const { _name, description } of command.registeredArguments as unknown as {
      _name: string;
      description: string;
    }[]) {
      expect([_name, description]).not.toEqual([_name, '']);
    }
    const wide = help.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $'));
    expect(wide).toEqual([]);
  },
);

test('the help of announce', () => {
  expect(helpOf(announce)).toBe(`\
Usage: typebadge announce [options] [command]

Publishes announcements on the badge, changes them, and undoes changes.

Options:
  -h, --help            print this help

Commands:
  publish [message...]  put an announcement on the badge, now or later
  edit [id]             change words, times or readers of an announcement
  expire [id]           end an announcement early
  withdraw [id]         take back a scheduled or mistaken announcement
  undo [number]         take back the last change, or any other
  list                  list announcements: active, scheduled, past
  show [id]             show one announcement and its changes
  preview [id]          see the badge as a visitor does
  log [id]              see who changed what, and when
  stats [id]            see how often it was shown and clicked
  validate              check the content folder
  export <folder>       write everything public as files, for a static host
  help [command]        display help for command

Every change is recorded ("announce log") and can be undone ("announce undo").
A running server shows it within a second, and readers see it at their next
page view (behind a CDN, within 15 minutes).
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Examples:
  $ typebadge announce publish "We have moved" --link https://example.org/moved
  $ typebadge announce list
  $ typebadge announce undo
`);
});

test('the help of announce publish', () => {
  const publish = announce.commands.find((command) => command.name() === 'publish') as Command;
  expect(helpOf(publish)).toBe(`\
Usage: typebadge announce publish [options] [message...]

Puts an announcement on the badge. On a terminal, without a message, it asks for
everything.

Arguments:
  message                              what visitors read, in quotes; - reads it
                                       from standard input; after -- it may
                                       begin with a hyphen

Options:
  --id <id>                            a name of your own instead of the next
                                       number
  --link <address>                     where a click leads; without it the badge
                                       shows text only
  --no-link                            no link (the default)
  --at <moment>                        when it starts (default: now)
  --expires <moment>                   when it ends (default: +30d, counted from
                                       its start)
  --alongside                          leave earlier announcements active beside
                                       it
  --severity <level>                   info (the default), success, warning or
                                       critical
  --not-dismissible                    readers cannot close it
  --link-label <text>                  words of the link, beside the message; 1
                                       to 40 characters
  --translation <lang=text>            the message in that language, such as
                                       de="Hallo"; repeatable
  --translated-link <lang=url>         the link for that language; repeatable
  --translated-link-label <lang=text>  the words of that link; repeatable
  --site <origin>                      only on this site, or
                                       https://*.example.org; repeatable
  --path <pattern>                     only on pages there, such as "/docs/*";
                                       repeatable
  --zone <name>                        time zone, such as Europe/Berlin
                                       (default: that of this computer)
  --by <name>                          author in the log (default:
                                       TYPEBADGE_EDITOR, else your user name)
  --dry-run                            only show what would change
  --server <url>                       work on this server instead of a folder;
                                       log in first: typebadge login (default:
                                       TYPEBADGE_SERVER)
  --content <folder>                   the content folder (default:
                                       TYPEBADGE_CONTENT, ./content, your own)
  --store <url>                        the store that servers share, instead of
                                       a folder (default: TYPEBADGE_STORE)
  --store-prefix <name>                prefix of its keys (default:
                                       TYPEBADGE_STORE_PREFIX, typebadge)
  --json                               print the result as JSON, for programs
  --verbose                            say which content folder or store is
                                       used, and why
  -h, --help                           print this help

Dates and times:
  2026-12-31, 31.12.2026  a date: its first second as start, its last as end
  "2026-12-31 18:00"      a time in your time zone (see --zone)
  2026-12-31T18:00+01:00  a time with an offset, or Z for UTC
  tomorrow, friday 6pm    the day of that name; a time alone, 18:00, is today
  +30d                    a span; also +90s +90m +12h +2w +1mo +1y, or +1d12h

Examples:
  $ typebadge announce publish "We have moved" --link https://example.org/moved
  $ typebadge announce publish "Closed for the holidays" --at 2026-12-24 --expires 2027-01-02
  $ typebadge announce publish "The sale ends tonight" --expires "2026-12-31 18:00"
  $ typebadge announce publish "Docs are down" --severity critical --translation de="Die Doku ist weg" --site https://shop.example.org --path "/docs/*" --expires "friday 6pm"
  $ typebadge announce publish - < message.txt
`);
});
