import type { Command } from 'commander';
import { createSubcommand, limitOption, zoneOption } from '../../program/subcommand.ts';
import type { ListOptions } from './list.ts';
import type { LogOptions } from './log.ts';
import type { PreviewOptions } from './preview.ts';
import type { ShowOptions } from './show.ts';
import type { StatsOptions } from './stats.ts';

/** The commands that only look. */
export function createReadingCommands(): Command[] {
  return [listCommand(), showCommand(), previewCommand(), logCommand(), statsCommand()];
}

function listCommand(): Command {
  return createSubcommand<ListOptions>({
    name: 'list',
    summary: 'list announcements: active, scheduled, past',
    description: 'Lists announcements: active ones first, then scheduled, then past.',
    options: [
      ['--state <state>', 'only those that are active, scheduled or past'],
      ['--search <words>', 'only those with these words, in any language, link or audience'],
      ['--ending <span>', 'only active ones that end within this time, such as 7d'],
      limitOption,
      ['--all', 'no limit'],
      ['--csv', 'one line each, for a spreadsheet; no limit'],
      zoneOption,
    ],
    examples: [
      'announce list --ending 7d',
      'announce list --state past --search "autumn release"',
      'announce list --csv > announcements.csv',
    ],
    run: async (_, options, io) => (await import('./list.ts')).listAnnouncements(options, io),
  });
}

function showCommand(): Command {
  return createSubcommand<ShowOptions>({
    name: 'show',
    argument: ['[id]', 'which one (default: the one on the badge now)'],
    summary: 'show one announcement and its changes',
    description: 'Shows one announcement, and who changed it when.',
    options: [zoneOption],
    examples: ['announce show', 'announce show 2026-003'],
    run: async ([id], options, io) => (await import('./show.ts')).showAnnouncement(id, options, io),
  });
}

function previewCommand(): Command {
  return createSubcommand<PreviewOptions>({
    name: 'preview',
    argument: ['[id]', 'which one (default: the one on the badge now)'],
    summary: 'see the badge as a visitor does',
    description:
      'Draws the badge as a visitor sees it, of an announcement or of words that are not published; or what is shown on a page, and why.',
    options: [
      ['--site <address>', 'what a reader sees on this site, and why'],
      ['--path <path>', 'on this page of it'],
      ['--lang <language>', 'in this language, such as de'],
      ['--at <moment>', 'what readers will see then: everything that is active, and what follows'],
      zoneOption,
      ['--message <text>', 'draw this message instead; - reads it from standard input'],
      ['--link <address>', 'with this link'],
      ['--open', 'see it in the browser, on the demo page'],
    ],
    examples: [
      'announce preview',
      'announce preview 2026-004 --open',
      'announce preview --at "tomorrow 18:00"',
      'announce preview --message "We have moved"',
      'announce preview --site https://www.example.org --path /docs/start --lang de',
    ],
    run: async ([id], options, io) => (await import('./preview.ts')).previewAnnouncement(id, options, io),
  });
}

function logCommand(): Command {
  return createSubcommand<LogOptions>({
    name: 'log',
    argument: ['[id]', 'only changes of this announcement'],
    summary: 'see who changed what, and when',
    description: 'Shows who changed what and when, the latest first. The numbers are for undo.',
    options: [limitOption, zoneOption],
    examples: ['announce log', 'announce log 2026-003', 'announce log --limit 100 --json'],
    run: async ([id], options, io) => (await import('./log.ts')).readLog(id, options, io),
  });
}

function statsCommand(): Command {
  return createSubcommand<StatsOptions>({
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
    run: async ([id], options, io) => (await import('./stats.ts')).readStats(id, options, io),
  });
}
