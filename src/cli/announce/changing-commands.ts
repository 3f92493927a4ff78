import type { Command } from 'commander';
import { isInteractive } from '../command-io.ts';
import { createSubcommand, editorOptions, zoneOption } from '../subcommand.ts';
import type { EditorOptions } from './content-access.ts';
import type { EditOptions } from './edit.ts';
import type { ExpireOptions } from './expire.ts';
import type { PublishOptions } from './publish.ts';

const moments = `A moment is one of:
  2026-12-31              a date: its first second as start, its last as end
  "2026-12-31 18:00"      a time where you are (see --zone)
  2026-12-31T18:00+01:00  a time with an offset, or Z for UTC
  +30d                    a span; also +90m +12h +2w +1mo +1y, or +1d12h`;

/** The commands that change an announcement. */
export function createChangingCommands(): Command[] {
  return [publishCommand(), editCommand(), expireCommand(), withdrawCommand(), undoCommand()];
}

function publishCommand(): Command {
  return createSubcommand<PublishOptions>({
    name: 'publish',
    argument: [
      '[message...]',
      'what visitors read, in quotes; - takes it from standard input; after -- it may begin with a hyphen',
    ],
    summary: 'put an announcement on the badge, now or later',
    description:
      'Puts an announcement on the badge. On a terminal, without a message, it asks for everything.',
    options: [
      ['--link <address>', 'where a click leads; without it the badge shows text only'],
      ['--at <moment>', 'when it starts (default: now)'],
      ['--expires <moment>', 'when it ends (default: +30d, counted from its start)'],
      ['--id <id>', 'a name of your own instead of the next number'],
      ['--alongside', 'leave earlier announcements active beside it'],
      zoneOption,
      ...editorOptions,
    ],
    notes: moments,
    examples: [
      'announce publish "We have moved" --link https://example.org/moved',
      'announce publish "Closed for the holidays" --at 2026-12-24 --expires 2027-01-02',
      'announce publish "The sale ends tonight" --expires "2026-12-31 18:00"',
      'announce publish - < message.txt',
    ],
    async run(words, options, io) {
      if (words.length === 0 && !options.json && isInteractive(io)) {
        return (await import('./publish-form.ts')).publishWithForm(options, io);
      }
      return (await import('./publish.ts')).publishAnnouncement(words, options, io);
    },
  });
}

function editCommand(): Command {
  return createSubcommand<EditOptions>({
    name: 'edit',
    argument: ['[id]', 'the announcement to change'],
    summary: 'change message, link or times of an announcement',
    description:
      'Changes what is given and leaves the rest. On a terminal, without options, it shows everything to change.',
    options: [
      ['--message <text>', 'new words; - takes them from standard input'],
      ['--link <address>', 'new link; "" removes it'],
      ['--at <moment>', 'new start, of one that has not begun'],
      ['--expires <moment>', 'new end'],
      ['--alongside', 'leave earlier announcements active beside it'],
      ['--no-alongside', 'let it supersede earlier announcements'],
      zoneOption,
      ...editorOptions,
    ],
    notes: moments,
    examples: [
      'announce edit 2026-003 --message "We have moved to Bonn"',
      'announce edit 2026-003 --expires +2w',
      'announce edit 2026-003 --link ""',
    ],
    async run([id], options, io) {
      const { message, link, at, expires, alongside } = options;
      const isBare = [message, link, at, expires, alongside].every((value) => value === undefined);
      if (isBare && !options.json && isInteractive(io)) {
        return (await import('./edit-form.ts')).editWithForm(id, options, io);
      }
      return (await import('./edit.ts')).editAnnouncement(id, options, io);
    },
  });
}

function expireCommand(): Command {
  return createSubcommand<ExpireOptions>({
    name: 'expire',
    argument: ['[id]', 'the announcement to end'],
    summary: 'end an announcement early',
    description:
      'Ends an announcement, now or at a moment before its expiry. It stays in the public history.',
    options: [['--at <moment>', 'when it ends (default: now)'], zoneOption, ...editorOptions],
    notes: moments,
    examples: ['announce expire 2026-003', 'announce expire 2026-003 --at "2026-12-24 12:00"'],
    run: async ([id], options, io) => (await import('./expire.ts')).expireAnnouncement(id, options, io),
  });
}

function withdrawCommand(): Command {
  return createSubcommand<EditorOptions>({
    name: 'withdraw',
    argument: ['[id]', 'the announcement to take back'],
    summary: 'take back a scheduled or mistaken announcement',
    description: 'Takes an announcement out of the public history. What it superseded is in force again.',
    options: [zoneOption, ...editorOptions],
    examples: ['announce withdraw 2026-004'],
    run: async ([id], options, io) => (await import('./expire.ts')).withdrawAnnouncement(id, options, io),
  });
}

function undoCommand(): Command {
  return createSubcommand<EditorOptions>({
    name: 'undo',
    argument: [
      '[number]',
      'the change to take back, as the log numbers it (default: the last one that stands)',
    ],
    summary: 'take back the last change, or any other',
    description:
      'Takes a change back. Again and again it goes further back; with a number it takes back that change, which may be an undo.',
    options: editorOptions,
    examples: ['announce undo', 'announce undo 7', 'announce undo --dry-run'],
    run: async ([number], options, io) => (await import('./undo.ts')).undoChange(number, options, io),
  });
}
