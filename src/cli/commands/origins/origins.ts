import { parseOriginPattern } from '../../../kit/origin-pattern.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { createOriginList } from '../../../server/http/cors.ts';
import { warnOfServers } from '../../desk/change-report.ts';
import { commandAt, type DeskOptions, describeWhere, type OpenDesk } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { type CommandIo, RefusedError, UsageError } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import type { Report } from '../../program/report.ts';

export async function listOrigins(options: DeskOptions, io: CommandIo): Promise<Report> {
  const desk = await openDesk(options, io);
  const origins = await desk.origins();
  return {
    value: { origins },
    text: () =>
      origins.length === 0
        ? `No site is on the list yet. Add one: ${commandAt(desk.place, 'origins', 'add', 'https://example.org')}`
        : origins.map(safeText).join('\n'),
  };
}

export async function addOrigins(
  entries: readonly string[],
  options: DeskOptions,
  io: CommandIo,
): Promise<Report> {
  const wanted = entries.map(parseEntry);
  const desk = await openDesk(options, io, { makesFolder: true });
  const before = await desk.origins();
  const added = [...new Set(wanted)].filter((entry) => !before.includes(entry));
  let origins = before;
  for (const entry of added) origins = await desk.addOrigin(entry);
  return changeReport(desk, { added, origins }, (paint, where) =>
    wanted.map((entry) =>
      added.includes(entry)
        ? `${paint.good('✔')} ${entry} may use the badge now, ${where}.`
        : `${entry} was on the list already.`,
    ),
  );
}

export async function removeOrigins(
  entries: readonly string[],
  options: DeskOptions,
  io: CommandIo,
): Promise<Report> {
  const unwanted = entries.map(parseEntry);
  const desk = await openDesk(options, io);
  let origins = await desk.origins();
  const missing = unwanted.filter((entry) => !origins.includes(entry));
  if (missing.length > 0)
    throw new RefusedError(`${missing.join(' and ')} is not on the list; typebadge origins list shows it`);
  for (const entry of new Set(unwanted)) origins = await desk.removeOrigin(entry);
  return changeReport(desk, { removed: unwanted, origins }, (paint, where) =>
    unwanted.map((entry) => `${paint.good('✔')} ${entry} may no longer use the badge, ${where}.`),
  );
}

/** Whether the site may, and by which entry. Takes the address of a page, too: what counts is its origin. */
export async function testOrigin(text: string, options: DeskOptions, io: CommandIo): Promise<Report> {
  const origin = parseSite(text);
  const desk = await openDesk(options, io);
  const entries = await desk.origins();
  const patterns = entries.map(parseOriginPattern).filter((pattern) => 'entry' in pattern);
  const entry = createOriginList({ patterns }).match(origin) ?? null;
  const isLoopback =
    entry === null && createOriginList({ patterns: [], loopback: true }).match(origin) !== undefined;
  return {
    value: { origin, allowed: entry !== null, entry, loopback: isLoopback },
    exitCode: entry === null && !isLoopback ? 1 : 0,
    text: (paint) => {
      if (entry !== null)
        return `${paint.good('✔')} ${origin} may use the badge, by the entry ${safeText(entry)}.`;
      if (isLoopback)
        return `${origin} may use a server that listens on its own computer only; it is not on the list.`;
      return `${paint.bad('✘')} ${origin} may not use the badge: no entry matches.\n  To allow it: ${commandAt(desk.place, 'origins', 'add', origin)}`;
    },
  };
}

function parseSite(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new UsageError(
      `"${text}" is not a site address; write scheme and host, such as https://example.org`,
    );
  }
  return new URL(text).origin;
}

/** An entry in the spelling that browsers send, so that one site is never on the list twice. */
function parseEntry(text: string): string {
  // A browser's address bar ends an address with a slash; it means the same origin.
  const pattern = parseOriginPattern(text.replace(/(?<=[^/])\/$/, ''));
  if ('problem' in pattern) throw new UsageError(pattern.problem);
  return pattern.entry;
}

/** What `add` and `remove` say: a line for each entry. */
async function changeReport(
  desk: OpenDesk,
  value: object,
  lines: (paint: Paint, where: string) => readonly string[],
): Promise<Report> {
  // If the history cannot be read, no server is asked: the list is already changed.
  const servers = await desk.views().catch(() => []);
  const warnings = warnOfServers(servers);
  return {
    value: { ...value, warnings, content: desk.place.name, servers },
    warnings,
    text: (paint) => lines(paint, describeWhere(desk.place, servers)).join('\n'),
  };
}
