import { parseOriginPattern } from '../../../kit/origin-pattern.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { createOriginList } from '../../../server/http/cors.ts';
import { warnOfServers } from '../../desk/change-report.ts';
import { type OpenDesk, openDesk } from '../../desk/open-desk.ts';
import { RefusedError, UsageError } from '../../program/command-io.ts';
import type { Paint, Report } from '../../program/report.ts';
import { type DeskCommand, groupOf, type Subcommand } from '../../program/subcommand.ts';

const overview = `
An entry is an exact origin (https://example.org, https://example.org:8443) or one with a leading wildcard \
(https://*.example.org: every subdomain, never example.org itself). Pages on this computer (localhost) may \
always use a server that listens on this computer only. A running server applies a change within a second. \
Exit codes: 0 done, or allowed; 1 failed, or not allowed; 2 wrong usage.

Examples:
  $ typebadge origins add https://example.org
  $ typebadge origins test https://www.example.org`;

const subcommands: readonly Subcommand[] = [
  {
    name: 'list',
    summary: 'list the sites that may use the badge',
    examples: ['origins list', 'origins list --json'],
    load: async () => listOrigins,
  },
  {
    name: 'add',
    argument: ['<origin...>', 'sites to allow'],
    summary: 'let a site use the badge',
    more: 'Entries already on the list stay as they are.',
    examples: ["origins add https://example.org 'https://*.example.org'"],
    load: async () => addOrigins,
  },
  {
    name: 'remove',
    argument: ['<origin...>', 'entries as the list shows them'],
    summary: 'stop a site from using the badge',
    examples: ['origins remove https://example.org'],
    load: async () => removeOrigins,
  },
  {
    name: 'test',
    argument: ['<origin>', 'a site, or the address of one of its pages'],
    summary: 'ask whether a site may use the badge',
    more: 'The answer names the entry. Exit code 1 if it may not.',
    examples: ['origins test https://www.example.org/news/today'],
    load: async () => testOrigin,
  },
];

export const createOriginsCommand = groupOf('origins', overview, subcommands);

const listOrigins: DeskCommand = async (_, options, io) => {
  const desk = await openDesk(options, io);
  const origins = await desk.origins();
  return {
    value: { origins },
    text: () =>
      origins.length === 0
        ? `No site is on the list yet. Add one: ${desk.command('origins', 'add', 'https://example.org')}`
        : origins.map(safeText).join('\n'),
  };
};

const addOrigins: DeskCommand = async (entries, options, io) => {
  const wanted = entries.map(parseEntry);
  const desk = await openDesk(options, io, { makesFolder: true });
  let origins = await desk.origins();
  const added = [...new Set(wanted)].filter((entry) => !origins.includes(entry));
  for (const entry of added) origins = await desk.addOrigin(entry);
  return changeReport(desk, { added, origins }, (paint, where) =>
    wanted.map((entry) =>
      added.includes(entry)
        ? `${paint.good('✔')} ${entry} may use the badge now, ${where}.`
        : `${entry} was on the list already.`,
    ),
  );
};

const removeOrigins: DeskCommand = async (entries, options, io) => {
  const removed = entries.map(parseEntry);
  const desk = await openDesk(options, io);
  let origins = await desk.origins();
  const missing = removed.filter((entry) => !origins.includes(entry));
  if (missing.length > 0)
    throw new RefusedError(`${missing.join(' and ')} is not on the list; typebadge origins list shows it`);
  for (const entry of new Set(removed)) origins = await desk.removeOrigin(entry);
  return changeReport(desk, { removed, origins }, (paint, where) =>
    removed.map((entry) => `${paint.good('✔')} ${entry} may no longer use the badge, ${where}.`),
  );
};

/** Whether the site may use the badge, and by which entry. Of the address of a page, the origin counts. */
const testOrigin: DeskCommand = async ([text = ''], options, io) => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new UsageError(
      `"${text}" is not a site address; write scheme and host, such as https://example.org`,
    );
  const { origin } = new URL(text);
  const desk = await openDesk(options, io);
  const patterns = (await desk.origins()).map(parseOriginPattern).filter((pattern) => 'entry' in pattern);
  const entry = createOriginList(patterns).match(origin) ?? null;
  const isLoopback = entry === null && createOriginList([], true).match(origin) !== undefined;
  return {
    value: { origin, allowed: entry !== null, entry, loopback: isLoopback },
    exitCode: entry === null && !isLoopback ? 1 : 0,
    text: (paint) => {
      if (entry !== null)
        return `${paint.good('✔')} ${origin} may use the badge, by the entry ${safeText(entry)}.`;
      if (isLoopback)
        return `${origin} may use a server that listens on its own computer only; it is not on the list.`;
      return `${paint.bad('✘')} ${origin} may not use the badge: no entry matches.\n  To allow it: ${desk.command('origins', 'add', origin)}`;
    },
  };
};

/** An entry in the spelling that browsers send, so that one site is never on the list twice. */
function parseEntry(text: string): string {
  // A browser's address bar ends an address with a slash; it means the same origin.
  const pattern = parseOriginPattern(text.replace(/(?<=[^/])\/$/, ''));
  if ('problem' in pattern) throw new UsageError(pattern.problem);
  return pattern.entry;
}

async function changeReport(
  desk: OpenDesk,
  value: object,
  lines: (paint: Paint, where: string) => readonly string[],
): Promise<Report> {
  // If the history cannot be read, no server is asked: the list is already changed.
  const servers = await desk.views().catch(() => []);
  const warnings = warnOfServers(servers);
  return {
    value: { ...value, warnings, content: desk.name, servers },
    warnings,
    text: (paint) => lines(paint, desk.where(servers)).join('\n'),
  };
}
