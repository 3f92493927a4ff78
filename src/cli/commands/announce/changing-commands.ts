import type { Command } from 'commander';
import { fieldOptions } from '../../../announcements/field-options.ts';
import type { EditorOptions } from '../../desk/open-desk.ts';
import { createSubcommand, editorOptions, zoneOption } from '../../program/subcommand.ts';
import type { EditOptions } from './edit.ts';
import type { ExpireOptions } from './expire.ts';
import type { PublishOptions } from './publish.ts';
import type { UndoOptions } from './undo.ts';

const moments = `Dates and times:
  2026-12-31, 31.12.2026  a date: its first second as start, its last as end
  "2026-12-31 18:00"      a time in your time zone (see --zone)
  2026-12-31T18:00+01:00  a time with an offset, or Z for UTC
  tomorrow, friday 6pm    the day of that name; a time alone, 18:00, is today
  +30d                    a span; also +90s +90m +12h +2w +1mo +1y, or +1d12h`;

/** The commands that change an announcement. */
export function createChangingCommands(): Command[] {
  return [publishCommand(), editCommand(), expireCommand(), withdrawCommand(), undoCommand()];
}

function publishCommand(): Command {
  return createSubcommand<PublishOptions>({
    name: 'publish',
    argument: [
      '[message...]',
      'what visitors read, in quotes; - reads it from standard input; after -- it may begin with a hyphen',
    ],
    summary: 'put an announcement on the badge, now or later',
    description:
      'Puts an announcement on the badge. On a terminal, without a message, it asks for everything.',
    options: [...fieldOptions('publishOptions'), zoneOption, ...editorOptions],
    notes: moments,
    examples: [
      'announce publish "We have moved" --link https://example.org/moved',
      'announce publish "Closed for the holidays" --at 2026-12-24 --expires 2027-01-02',
      'announce publish "The sale ends tonight" --expires "2026-12-31 18:00"',
      'announce publish "Docs are down" --severity critical --translation de="Die Doku ist weg" --site https://shop.example.org --path "/docs/*" --expires "friday 6pm"',
      'announce publish - < message.txt',
    ],
    run: async (words, options, io) => (await import('./publish.ts')).publishAnnouncement(words, options, io),
  });
}

function editCommand(): Command {
  return createSubcommand<EditOptions>({
    name: 'edit',
    argument: ['[id]', 'the announcement to change'],
    judgesArguments: true,
    summary: 'change words, times or readers of an announcement',
    description:
      'Changes what is given and leaves the rest. On a terminal, without options, it shows a form; with --editor it opens a file in your own editor.',
    options: [
      ...fieldOptions('editOptions'),
      [
        '--editor',
        'change it as a file in $VISUAL or $EDITOR; errors are named, and nothing that you typed is lost',
      ],
      zoneOption,
      ...editorOptions,
    ],
    notes: moments,
    examples: [
      'announce edit 2026-003 --message "We have moved to Bonn"',
      'announce edit 2026-003 --expires +2w',
      'announce edit 2026-003 --no-link',
      'announce edit 2026-003 --editor',
      'announce edit 2026-003 --severity critical --translation de="Wir sind nach Bonn gezogen"',
    ],
    run: async (words, options, io) => (await import('./edit.ts')).editAnnouncement(words, options, io),
  });
}

function expireCommand(): Command {
  return createSubcommand<ExpireOptions>({
    name: 'expire',
    argument: ['[id]', 'the announcement to end'],
    summary: 'end an announcement early',
    description:
      'Ends an announcement, now or at a moment before its planned end. It stays in the public history.',
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
    description: 'Takes an announcement out of the public history. What it superseded is active again.',
    options: [zoneOption, ...editorOptions],
    examples: ['announce withdraw 2026-004'],
    run: async ([id], options, io) => (await import('./withdraw.ts')).withdrawAnnouncement(id, options, io),
  });
}

function undoCommand(): Command {
  return createSubcommand<UndoOptions>({
    name: 'undo',
    argument: ['[number]', 'number of the change in the log (default: the last one not undone yet)'],
    summary: 'take back the last change, or any other',
    description:
      'Undoes the last change; again, the one before. With a number it undoes that change, which may itself be an undo.',
    options: [['--yes', 'undo the change of another editor without caller'], zoneOption, ...editorOptions],
    examples: ['announce undo', 'announce undo 7', 'announce undo --dry-run'],
    run: async ([number], options, io) => (await import('./undo.ts')).undoChange(number, options, io),
  });
}
