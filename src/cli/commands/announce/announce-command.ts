import type { Command } from 'commander';
import { fieldOptions } from '../../../announcements/fields.ts';
import type { Invocation } from '../../program/command-io.ts';
import {
  brandOption,
  createGroup,
  createSubcommand,
  editorOptions,
  limitOption,
  logoOption,
  publicUrlOption,
  zoneOption,
} from '../../program/subcommand.ts';

const overview = `
Every change is recorded ("announce log") and can be undone ("announce undo").
A running server shows it within a second, and readers see it at their next
page view (behind a CDN, within 15 minutes).
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Examples:
  $ typebadge announce publish "We have moved" --link https://example.org/moved
  $ typebadge announce list
  $ typebadge announce undo`;

/** `typebadge announce …`: only names and options; what a command does is loaded when it runs. */
export function createAnnounceCommand(invocation: Invocation): Command {
  return createGroup(
    invocation,
    'announce',
    'Publishes announcements on the badge, changes them, and undoes changes.',
    overview,
    [
      createSubcommand({
        name: 'publish',
        argument: [
          '[message...]',
          'what visitors read, in quotes; - reads it from standard input; after -- it may begin with a hyphen',
        ],
        summary: 'put an announcement on the badge, now or later',
        description: 'Puts an announcement on the badge. On a terminal, without a message, it asks for it.',
        options: [...fieldOptions('publishOptions'), zoneOption, ...editorOptions],
        notes: moments,
        examples: [
          'announce publish "We have moved" --link https://example.org/moved',
          'announce publish "The sale ends tonight" --expires "2026-12-31 18:00"',
          'announce publish "Docs are down" --severity critical --translation de="Die Doku ist weg" --site https://shop.example.org --path "/docs/*" --expires "tomorrow 18:00"',
          'announce publish - < message.txt',
        ],
        load: async () => (await import('./publish.ts')).publishAnnouncement,
      }),
      createSubcommand({
        name: 'edit',
        argument: ['[id]', 'the announcement to change'],
        summary: 'change words, times or readers of an announcement',
        description:
          'Changes what is given and leaves the rest. On a terminal, without options or with --editor, it opens a file in your editor.',
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
          'announce edit 2026-003 --editor',
          'announce edit 2026-003 --severity critical --translation de="Wir sind nach Bonn gezogen"',
        ],
        load: async () => (await import('./edit.ts')).editAnnouncement,
      }),
      createSubcommand({
        name: 'expire',
        argument: ['[id]', 'the announcement to end'],
        summary: 'end an announcement early',
        description:
          'Ends an announcement, now or at a moment before its planned end. It stays in the public history.',
        options: [['--at <moment>', 'when it ends (default: now)'], zoneOption, ...editorOptions],
        notes: moments,
        examples: ['announce expire 2026-003', 'announce expire 2026-003 --at "2026-12-24 12:00"'],
        load: async () => (await import('./end.ts')).expireAnnouncement,
      }),
      createSubcommand({
        name: 'withdraw',
        argument: ['[id]', 'the announcement to take back'],
        summary: 'take back a scheduled or mistaken announcement',
        description: 'Takes an announcement out of the public history. What it superseded is active again.',
        options: [zoneOption, ...editorOptions],
        examples: ['announce withdraw 2026-004'],
        load: async () => (await import('./end.ts')).withdrawAnnouncement,
      }),
      createSubcommand({
        name: 'undo',
        argument: ['[number]', 'number of the change in the log (default: the last one not undone yet)'],
        summary: 'undo the last change, or any other',
        description:
          'Undoes the last change; again, the one before. With a number it undoes that change, which may itself be an undo.',
        options: [
          ['--yes', 'undo the change of another editor without asking'],
          zoneOption,
          ...editorOptions,
        ],
        examples: ['announce undo', 'announce undo 7', 'announce undo --dry-run'],
        load: async () => (await import('./undo.ts')).undoChange,
      }),
      createSubcommand({
        name: 'list',
        summary: 'list announcements: active, scheduled, past',
        description: 'Lists announcements: active ones first, then scheduled, then past.',
        options: [
          ['--state <active|scheduled|past>', 'only those in this state'],
          limitOption,
          ['--all', 'no limit'],
          zoneOption,
        ],
        examples: ['announce list', 'announce list --state past --all'],
        load: async () => (await import('./list.ts')).listAnnouncements,
      }),
      createSubcommand({
        name: 'show',
        argument: ['[id]', 'which one (default: the one on the badge now)'],
        summary: 'show one announcement and its changes',
        description: 'Shows one announcement, and who changed it when.',
        options: [zoneOption],
        examples: ['announce show', 'announce show 2026-003'],
        load: async () => (await import('./log.ts')).showAnnouncement,
      }),
      createSubcommand({
        name: 'preview',
        argument: ['[id]', 'which one (default: the one on the badge now)'],
        summary: 'see the badge as a visitor does',
        description:
          'Draws the badge as a visitor sees it; or says what is shown on a page, and why. For words that are not published: announce publish --dry-run.',
        options: [
          ['--site <address>', 'what a reader sees on this site, and why'],
          ['--path <path>', 'on this page of it'],
          ['--lang <language>', 'in this language, such as de'],
          ['--at <moment>', 'what readers will see then: everything that is active, and what follows'],
          zoneOption,
        ],
        examples: [
          'announce preview',
          'announce preview --at "tomorrow 18:00"',
          'announce preview --site https://www.example.org --path /docs/start --lang de',
        ],
        load: async () => (await import('./preview.ts')).previewAnnouncement,
      }),
      createSubcommand({
        name: 'log',
        argument: ['[id]', 'only changes of this announcement'],
        summary: 'see who changed what, and when',
        description: 'Shows who changed what and when, the latest first. The numbers are for undo.',
        options: [limitOption, zoneOption],
        examples: ['announce log', 'announce log 2026-003', 'announce log --limit 100 --json'],
        load: async () => (await import('./log.ts')).readLog,
      }),
      createSubcommand({
        name: 'stats',
        argument: ['[id]', 'only this announcement'],
        summary: 'see how often it was shown and clicked',
        description:
          'Shows how often announcements were shown, clicked and dismissed, per announcement and site.',
        options: [
          ['--days <count>', 'how many days back, today included, in UTC (default: 30)'],
          [
            '--data <folder>',
            'where the server keeps its counters (default: TYPEBADGE_DATA, else your data folder)',
          ],
        ],
        examples: ['announce stats', 'announce stats 2026-003 --days 7', 'announce stats --json'],
        load: async () => (await import('./stats.ts')).readStats,
      }),
      createSubcommand({
        name: 'validate',
        summary: 'check the content folder',
        description:
          'Checks the whole content folder and names each problem with file and line. Exit code 1 if there is any.',
        examples: ['announce validate', 'announce validate --content ./content --json'],
        load: async () => (await import('./validate.ts')).validateContent,
      }),
      createSubcommand({
        name: 'export',
        argument: ['<folder>', 'target folder; created if it does not exist'],
        summary: 'write everything public as files, for a static host',
        description:
          'Writes everything that the server would answer now as files: assets, JSON, pages, feeds, each also compressed, and a _headers file.',
        options: [
          brandOption,
          logoOption,
          publicUrlOption,
          ['--any-origin', 'let pages of every origin read the files; a static host cannot tell them apart'],
        ],
        examples: [
          'announce export ./public --public-url https://badge.example.org',
          'announce export ./public --brand acme --any-origin',
        ],
        load: async () => (await import('./export.ts')).exportTree,
      }),
    ],
  );
}

const moments = `Dates and times:
  2026-12-31, 31.12.2026  a date: its first second as start, its last as end
  "2026-12-31 18:00"      a time in your time zone (see --zone)
  2026-12-31T18:00+01:00  a time with an offset, or Z for UTC
  tomorrow, today 18:00   the day of that name; a time alone, 18:00, is today
  +30d                    a span; also +90s +90m +12h +2w +1mo +1y, or +1d12h`;
