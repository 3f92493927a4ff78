import { fieldOptions } from '../../../announcements/fields.ts';
import { settings } from '../../../server/settings/config.ts';
import {
  editorOptions,
  groupOf,
  limitOption,
  type Subcommand,
  zoneOption,
} from '../../program/subcommand.ts';

const overview = `
Every change is recorded ("announce log") and can be undone ("announce undo"). A running server shows it \
within a second, and readers see it at their next page view (behind a CDN, within 15 minutes).
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

Examples:
  $ typebadge announce publish "We have moved" --link https://example.org/moved
  $ typebadge announce list
  $ typebadge announce undo`;

const moments = `Dates and times:
  2026-12-31, 31.12.2026  a date: its first second as start, its last as end
  "2026-12-31 18:00"      a time in your time zone (see --zone)
  2026-12-31T18:00+01:00  a time with an offset, or Z for UTC
  tomorrow, today 18:00   the day of that name; a time alone, 18:00, is today
  +30d                    a span; also +90s +90m +12h +2w +1mo +1y, or +1d12h`;

/** Only names and options; what a command does is loaded when it runs. */
const subcommands: readonly Subcommand[] = [
  {
    name: 'publish',
    argument: [
      '[message...]',
      'what visitors read, in quotes; - reads it from standard input; after -- it may begin with a hyphen',
    ],
    summary: 'put an announcement on the badge, now or later',
    more: 'On a terminal, without a message, it asks for it.',
    options: [...fieldOptions('publishOptions'), zoneOption, ...editorOptions],
    notes: moments,
    examples: [
      'announce publish "We have moved" --link https://example.org/moved',
      'announce publish "Sale ends tonight" --expires "2026-12-31 18:00"',
      'announce publish "Docs are down" --translation de="Doku ist weg"',
    ],
    load: async () => (await import('./changes.ts')).publishCommand,
  },
  {
    name: 'edit',
    argument: ['[id]', 'the announcement to change'],
    summary: 'change words, times or readers of an announcement',
    more: 'What is not given stays. On a terminal, without options or with --editor, it opens a file in your editor.',
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
      'announce edit 2026-003 --message "We are in Bonn" --expires +2w',
      'announce edit 2026-003 --editor',
    ],
    load: async () => (await import('./changes.ts')).editCommand,
  },
  {
    name: 'expire',
    argument: ['[id]', 'the announcement to end'],
    summary: 'end an announcement early',
    more: 'It stays in the public history.',
    options: [['--at <moment>', 'when it ends (default: now)'], zoneOption, ...editorOptions],
    notes: moments,
    examples: ['announce expire 2026-003', 'announce expire 2026-003 --at "2026-12-24 12:00"'],
    load: async () => (await import('./changes.ts')).expireCommand,
  },
  {
    name: 'withdraw',
    argument: ['[id]', 'the announcement to take back'],
    summary: 'take back a scheduled or mistaken announcement',
    more: 'It leaves the public history, and what it superseded is active again.',
    options: [zoneOption, ...editorOptions],
    examples: ['announce withdraw 2026-004'],
    load: async () => (await import('./changes.ts')).withdrawCommand,
  },
  {
    name: 'undo',
    argument: ['[number]', 'number of the change in the log (default: the last one not undone yet)'],
    summary: 'undo the last change, or any other',
    more: 'Again, it undoes the one before. The change may itself be an undo.',
    options: [['--yes', 'undo the change of another editor without asking'], zoneOption, ...editorOptions],
    examples: ['announce undo', 'announce undo 7', 'announce undo --dry-run'],
    load: async () => (await import('./changes.ts')).undoCommand,
  },
  {
    name: 'list',
    summary: 'list announcements: active, scheduled, past',
    options: [
      ['--state <active|scheduled|past>', 'only those in this state'],
      limitOption,
      ['--all', 'no limit'],
      zoneOption,
    ],
    examples: ['announce list', 'announce list --state past --all'],
    load: async () => (await import('./readings.ts')).listAnnouncements,
  },
  {
    name: 'show',
    argument: ['[id]', 'which one (default: the one on the badge now)'],
    summary: 'show one announcement and its changes',
    options: [zoneOption],
    examples: ['announce show', 'announce show 2026-003'],
    load: async () => (await import('./readings.ts')).showAnnouncement,
  },
  {
    name: 'preview',
    argument: ['[id]', 'which one (default: the one on the badge now)'],
    summary: 'see the badge as a visitor does',
    more: 'With a site, page, language or time it says what is shown there, and why. For words that are not published: announce publish --dry-run.',
    options: [
      ['--site <address>', 'what a reader sees on this site, and why'],
      ['--path <path>', 'on this page of it'],
      ['--lang <language>', 'in this language, such as de'],
      ['--at <moment>', 'what readers will see then: everything that is active, and what follows'],
      zoneOption,
    ],
    examples: ['announce preview', 'announce preview --site https://example.org --path /docs --lang de'],
    load: async () => (await import('./readings.ts')).previewAnnouncement,
  },
  {
    name: 'log',
    argument: ['[id]', 'only changes of this announcement'],
    summary: 'see who changed what, and when',
    more: 'The latest change comes first. The numbers are for undo.',
    options: [limitOption, zoneOption],
    examples: ['announce log', 'announce log 2026-003 --limit 100'],
    load: async () => (await import('./readings.ts')).readLog,
  },
  {
    name: 'stats',
    argument: ['[id]', 'only this announcement'],
    summary: 'see how often it was shown, clicked and dismissed',
    options: [
      ['--days <count>', 'how many days back, today included, in UTC (default: 30)'],
      [
        '--data <folder>',
        'where the server keeps its counters (default: TYPEBADGE_DATA, else your data folder)',
      ],
    ],
    examples: ['announce stats', 'announce stats 2026-003 --days 7'],
    load: async () => (await import('./readings.ts')).readStats,
  },
  {
    name: 'validate',
    summary: 'check the content folder',
    more: 'Each problem is named with file and line. Exit code 1 if there is any.',
    examples: ['announce validate', 'announce validate --content ./content --json'],
    load: async () => (await import('./validate.ts')).validateContent,
  },
  {
    name: 'export',
    argument: ['<folder>', 'target folder; created if it does not exist'],
    summary: 'write everything public as files, for a static host',
    more: 'Assets, JSON, pages and feeds as a server would answer them now, each also compressed, and a _headers file.',
    options: [
      [`--brand ${settings.brand.notation}`, settings.brand.about],
      [`--logo ${settings.logo.notation}`, settings.logo.about],
      [`--public-url ${settings.publicUrl.notation}`, settings.publicUrl.about],
      ['--any-origin', 'let pages of every origin read the files; a static host cannot tell them apart'],
    ],
    examples: ['announce export ./public --public-url https://badge.example.org'],
    load: async () => (await import('./export.ts')).exportTree,
  },
];

export const createAnnounceCommand = groupOf('announce', overview, subcommands);
