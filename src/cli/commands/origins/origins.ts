import { join } from 'node:path';
import { type OriginPattern, parseOriginPattern } from '../../../kit/origin-pattern.ts';
import { createOriginList } from '../../../server/http/routing/origins.ts';
import { ContentError } from '../../../server/stores/files/content/content-error.ts';
import { originsFileName } from '../../../server/stores/files/content/content-store.ts';
import { parseOriginsFile } from '../../../server/stores/files/content/origins-file.ts';
import { type ContentOptions, openContent } from '../../desk/content-access.ts';
import { RefusedError, UsageError } from '../../program/command-errors.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';
import { describeUse, findServerUse, toUseJson, warnOfUse } from './server-use.ts';

const loopbackNote =
  'Pages on this computer (localhost) may always use a server that listens on this computer only.';

export async function listOrigins(options: ContentOptions, io: CommandIo): Promise<Report> {
  const store = await openContent(options, io);
  const origins = toEntries(parsePatterns(store.dir, await store.readOriginsText()));
  return {
    value: { origins },
    toText: (paint) =>
      [
        ...(origins.length === 0
          ? ['No site is on the list yet. Let one in: typebadge origins add https://example.org']
          : origins),
        '',
        paint.dim(loopbackNote),
      ].join('\n'),
  };
}

export async function addOrigins(
  entries: readonly string[],
  options: ContentOptions,
  io: CommandIo,
): Promise<Report> {
  const wanted = entries.map(parseEntry);
  const store = await openContent(options, io);
  const outcome = await store.updateOriginsText((text) => {
    const before = toEntries(parsePatterns(store.dir, text));
    const added = [...new Set(wanted)].filter((entry) => !before.includes(entry));
    const origins = [...before, ...added];
    return {
      text: added.length === 0 ? (text ?? toOriginsText(origins, text)) : toOriginsText(origins, text),
      added,
      origins,
    };
  });
  if (!('added' in outcome)) throw new RefusedError('the list could not be changed');
  const { added, origins } = outcome;
  const use = await findServerUse(store, io);
  const warnings = warnOfUse(use);
  return {
    value: { added, origins, warnings, ...toUseJson(use) },
    warnings,
    toText: (paint) =>
      [
        ...wanted.map((entry) =>
          added.includes(entry)
            ? `${paint.good('✔')} ${entry} may use the badge now.`
            : `${entry} was on the list already.`,
        ),
        ...describeUse(use, paint),
      ].join('\n'),
  };
}

export async function removeOrigins(
  entries: readonly string[],
  options: ContentOptions,
  io: CommandIo,
): Promise<Report> {
  const unwanted = entries.map(parseEntry);
  const store = await openContent(options, io);
  const outcome = await store.updateOriginsText((text) => {
    const before = toEntries(parsePatterns(store.dir, text));
    const missing = unwanted.filter((entry) => !before.includes(entry));
    if (missing.length > 0)
      return { problem: `${missing.join(' and ')} is not on the list; typebadge origins list shows it` };
    const origins = before.filter((entry) => !unwanted.includes(entry));
    return { text: toOriginsText(origins, text), origins };
  });
  if ('problem' in outcome) throw new RefusedError(outcome.problem);
  const use = await findServerUse(store, io);
  const warnings = warnOfUse(use);
  return {
    value: { removed: unwanted, origins: outcome.origins, warnings, ...toUseJson(use) },
    warnings,
    toText: (paint) =>
      [
        ...unwanted.map((entry) => `${paint.good('✔')} ${entry} may no longer use the badge.`),
        ...describeUse(use, paint),
      ].join('\n'),
  };
}

/** Whether the site may, and by which entry. Takes the address of a page, too: what counts is its origin. */
export async function testOrigin(text: string, options: ContentOptions, io: CommandIo): Promise<Report> {
  const origin = toOrigin(text);
  const store = await openContent(options, io);
  const patterns = parsePatterns(store.dir, await store.readOriginsText());
  const entry = createOriginList({ patterns }).match(origin) ?? null;
  const isLoopback =
    entry === null && createOriginList({ patterns: [], loopback: true }).match(origin) !== undefined;
  return {
    value: { origin, allowed: entry !== null, entry, loopback: isLoopback },
    exitCode: entry === null && !isLoopback ? 1 : 0,
    toText: (paint) => {
      if (entry !== null) return `${paint.good('✔')} ${origin} may use the badge, by the entry ${entry}.`;
      if (isLoopback)
        return `${origin} may use a server that listens on this computer only; it is not on the list.`;
      return `${paint.bad('✘')} ${origin} may not use the badge: no entry matches.\n  To let it in: typebadge origins add ${origin}`;
    },
  };
}

function toOrigin(text: string): string {
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

function toEntries(patterns: readonly OriginPattern[]): string[] {
  return patterns.map(({ entry }) => entry);
}

function parsePatterns(dir: string, text: string | undefined): OriginPattern[] {
  if (text === undefined) return [];
  const result = parseOriginsFile(text);
  if ('patterns' in result) return result.patterns;
  const file = join(dir, originsFileName);
  const [first] = result.problems;
  const line = first?.line === undefined ? '' : `:${first.line}`;
  throw new ContentError(`${file}${line}: ${first?.message}`, file, result.problems);
}

/** Keeps whatever else the file holds. */
function toOriginsText(origins: readonly string[], before: string | undefined): string {
  const rest: object = before === undefined ? {} : JSON.parse(before.replace(/^\uFEFF/, ''));
  return `${JSON.stringify({ ...rest, origins }, null, 2)}\n`;
}
