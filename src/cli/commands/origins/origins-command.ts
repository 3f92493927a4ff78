import type { Command } from 'commander';
import type { DeskOptions } from '../../desk/desk-place.ts';
import type { Invocation } from '../../program/command-io.ts';
import { createGroup, createSubcommand } from '../../program/subcommand.ts';

const overview = `
An entry is an exact origin (https://example.org, https://example.org:8443) or
one with a leading wildcard (https://*.example.org: every subdomain, never
example.org itself). Pages on this computer (localhost) may always use a server
that listens on this computer only. A running server applies a change within a
second. Exit codes: 0 done, or allowed; 1 failed, or not allowed; 2 wrong usage.

Examples:
  $ typebadge origins add https://example.org
  $ typebadge origins test https://www.example.org`;

/** `typebadge origins …`: the allow-list of the content folder. */
export function createOriginsCommand(invocation: Invocation): Command {
  return createGroup(invocation, 'origins', 'Shows and changes which sites may use the badge.', overview, [
    createSubcommand<DeskOptions>({
      name: 'list',
      summary: 'list the sites that may use the badge',
      description: 'Lists the sites that may use the badge.',
      examples: ['origins list', 'origins list --json'],
      run: async (_, options, io) => (await import('./origins.ts')).listOrigins(options, io),
    }),
    createSubcommand<DeskOptions>({
      name: 'add',
      argument: ['<origin...>', 'sites to allow'],
      summary: 'let a site use the badge',
      description: 'Lets sites use the badge. Entries already on the list stay as they are.',
      examples: [
        'origins add https://example.org',
        "origins add 'https://*.example.org' https://localhost:3000",
      ],
      run: async (entries, options, io) => (await import('./origins.ts')).addOrigins(entries, options, io),
    }),
    createSubcommand<DeskOptions>({
      name: 'remove',
      argument: ['<origin...>', 'entries as the list shows them'],
      summary: 'stop a site from using the badge',
      description: 'Takes entries off the list.',
      examples: ['origins remove https://example.org'],
      run: async (entries, options, io) => (await import('./origins.ts')).removeOrigins(entries, options, io),
    }),
    createSubcommand<DeskOptions>({
      name: 'test',
      argument: ['<origin>', 'a site, or the address of one of its pages'],
      summary: 'ask whether a site may use the badge',
      description: 'Says whether a site may use the badge, and by which entry. Exit code 1 where it may not.',
      examples: ['origins test https://www.example.org', 'origins test https://www.example.org/news/today'],
      run: async ([origin = ''], options, io) =>
        (await import('./origins.ts')).testOrigin(origin, options, io),
    }),
  ]);
}
