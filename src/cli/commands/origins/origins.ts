import { parseOriginPattern } from '../../../kit/origin-pattern.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { createOriginList } from '../../../server/http/cors.ts';
import { describeServers, serverJson, warnOfServers } from '../../desk/change-report.ts';
import {
  commandAt,
  type DeskOptions,
  describePlace,
  describeWhere,
  type OpenDesk,
} from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { type CommandIo, RefusedError, UsageError } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import type { Report } from '../../program/report.ts';
import type { ServerView } from '../../servers/running-servers.ts';

/** Only shown on the server's own computer. */
const loopbackNote =
  'Pages on this computer (localhost) may always use a server that listens on this computer only.';

export async function listOrigins(options: DeskOptions, io: CommandIo): Promise<Report> {
  const desk = await openDesk(options, io);
  const { place } = desk;
  const origins = await desk.origins();
  return {
    value: { origins },
    text: (paint) =>
      [
        ...(origins.length === 0
          ? [
              `No site is on the list yet. Add one: ${commandAt(place, 'origins', 'add', 'https://example.org')}`,
            ]
          : origins.map(safeText)),
        ...(place.kind === 'server' ? [] : ['', paint.dim(loopbackNote)]),
      ].join('\n'),
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
  return changeReport(desk, await findServers(desk), {
    value: { added, origins },
    lines: (paint, where) =>
      wanted.map((entry) =>
        added.includes(entry)
          ? `${paint.good('✔')} ${entry} may use the badge now, ${where}.`
          : `${entry} was on the list already.`,
      ),
  });
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
  return changeReport(desk, await findServers(desk), {
    value: { removed: unwanted, origins },
    lines: (paint, where) =>
      unwanted.map((entry) => `${paint.good('✔')} ${entry} may no longer use the badge, ${where}.`),
  });
}

/** Whether the site may, and by which entry. Takes the address of a page, too: what counts is its origin. */
export async function testOrigin(text: string, options: DeskOptions, io: CommandIo): Promise<Report> {
  const origin = parseSite(text);
  const desk = await openDesk(options, io);
  const { place } = desk;
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
        return `${origin} may use a server that listens on ${place.kind === 'server' ? 'its own' : 'this'} computer only; it is not on the list.`;
      return `${paint.bad('✘')} ${origin} may not use the badge: no entry matches.\n  To allow it: ${commandAt(place, 'origins', 'add', origin)}`;
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
  if ('problem' in pattern) throw new UsageError(pattern.problem + guessEntry(text));
  return pattern.entry;
}

/** Of a host without its scheme, or the address of a page, the origin that was probably meant. */
function guessEntry(text: string): string {
  const isAddress = /^https?:\/\//i.test(text);
  if (!isAddress && !/^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?(?:\/|$)/i.test(text)) return '';
  const address = isAddress ? text : `https://${text}`;
  const pattern = parseOriginPattern(URL.canParse(address) ? new URL(address).origin : '');
  return 'entry' in pattern ? `. Did you mean ${pattern.entry}?` : '';
}

/** If the history cannot be read, no server is asked: the list is already changed. */
async function findServers(desk: OpenDesk): Promise<readonly ServerView[]> {
  return desk.views().catch(() => []);
}

/** What `add` and `remove` say, a line for each entry first. */
function changeReport(
  { place }: OpenDesk,
  servers: readonly ServerView[],
  change: { readonly value: object; readonly lines: (paint: Paint, where: string) => readonly string[] },
): Report {
  const warnings = warnOfServers(servers);
  return {
    value: { ...change.value, warnings, content: place.name, servers: servers.map(serverJson) },
    warnings,
    text: (paint) =>
      [
        ...change.lines(paint, describeWhere(place, servers)),
        describePlace(place),
        ...describeServers(servers, 'has this change', paint),
      ].join('\n'),
  };
}
