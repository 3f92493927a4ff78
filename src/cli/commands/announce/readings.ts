import { readEarlyEnd } from '../../../announcements/changes/draft.ts';
import { drawnNames, setFields } from '../../../announcements/fields.ts';
import type { Tally } from '../../../announcements/reader-statistics.ts';
import { parseReader, type ReaderTexts } from '../../../announcements/reader-view.ts';
import { endOf } from '../../../announcements/schedule.ts';
import { instantText } from '../../../announcements/times/instant.ts';
import { textOf } from '../../../announcements/values/markdown.ts';
import { severityLabel } from '../../../announcements/values/severity.ts';
import type { DeskAnnouncement } from '../../../contract/desk-types.ts';
import { fitted, safeText } from '../../../kit/terminal-text.ts';
import { required } from '../../desk/change-options.ts';
import { type Desk, findAnnouncement } from '../../desk/desk.ts';
import { openDesk } from '../../desk/open-desk.ts';
import {
  announcementJson,
  besideHead,
  changeLines,
  describeAnnouncement,
  describeLink,
  drawBadge,
  formatMinute,
  formatMoment,
  zoneOf,
} from '../../display/announcement-text.ts';
import { UsageError } from '../../program/command-io.ts';
import { type Paint, paragraphs } from '../../program/report.ts';
import { type DeskCommand, parseLimit, type Texts } from '../../program/subcommand.ts';

const states = ['active', 'scheduled', 'past'] as const;

/** Lists announcements: active, then scheduled (the soonest first), then past (the latest first). */
export const listAnnouncements: DeskCommand<Texts<'state' | 'limit'> & { readonly all?: boolean }> = async (
  _,
  options,
  io,
) => {
  const { limit, all = false, state: wanted } = options;
  if (all && limit !== undefined) throw new UsageError('give --all or --limit, not both');
  const max = all ? undefined : parseLimit(limit);
  const state = states.find((known) => known === wanted);
  if (state !== wanted) throw new UsageError(`--state takes active, scheduled or past, not "${wanted}"`);
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const { announcements, current, total } = await desk.listAll({ order: 'reading', state }, max);
  return {
    value: { announcements: announcements.map(announcementJson), current, total },
    text: (paint, columns) => {
      if (total === 0)
        return state === undefined
          ? 'No announcements yet. Publish the first one: typebadge announce publish'
          : `No announcement is ${state}.`;
      const rest = total - announcements.length;
      const isListed = announcements.some(({ id }) => id === current);
      const dot =
        current === null ? 'No announcement is current. ' : isListed ? '● is the current announcement. ' : '';
      const notes = [
        ...(rest > 0 ? [`${rest} more: --all shows them.`] : []),
        ...(announcements.some(isForSome) ? [`${mark} is for some readers only.`] : []),
        `${dot}Times are in ${zone}.`,
      ];
      return paragraphs(tableLines(announcements, current, zone, paint, columns), notes.map(paint.dim));
    },
  };
};

const mark = '◇';

function isForSome({ audience }: DeskAnnouncement): boolean {
  return audience !== undefined;
}

/** A narrow terminal has no column for the next moment. */
function tableLines(
  shown: readonly DeskAnnouncement[],
  current: string | null,
  zone: string,
  paint: Paint,
  columns: number,
): string[] {
  const idWidth = Math.min(24, Math.max(8, ...shown.map(({ id }) => id.length)));
  const whenWidth = columns < 70 ? 0 : 22;
  const room = Math.max(10, columns - idWidth - whenWidth - 18);
  const cells = (id: string, message: string, when: string) => {
    const last = whenWidth === 0 ? '' : fitted(when, whenWidth);
    return `  ${fitted(id, idWidth)}  ${fitted(message, room)}  ${last}`.trimEnd();
  };
  return [
    paint.dim(fitted('  STATE', 12) + cells('ID', 'MESSAGE', 'WHEN')),
    ...shown.map((each) => {
      const { id, state } = each;
      const brush = { active: paint.good, scheduled: paint.accent }[String(state)] ?? paint.dim;
      const stateCell = brush(fitted(`${id === current ? '●' : ' '} ${state}`, 12));
      return stateCell + cells(id, messageCell(each), nextMoment(each, zone));
    }),
  ];
}

/** The message after the word for its severity, as on the badge. */
function messageCell(announcement: DeskAnnouncement): string {
  const word = severityLabel(announcement.severity);
  const before = isForSome(announcement) ? `${mark} ` : '';
  return `${before}${word === undefined ? '' : `${word} · `}${safeText(textOf(announcement))}`;
}

function nextMoment(announcement: DeskAnnouncement, zone: string): string {
  return ['active', 'expired', 'ended'].includes(announcement.state)
    ? `until ${formatMinute(endOf(announcement), zone)}`
    : `from ${formatMinute(announcement.published, zone)}`;
}

export const showAnnouncement: DeskCommand = async ([id], options, io) => {
  const clock = { zone: zoneOf(options, io), now: io.now() };
  const desk = await openDesk(options, io);
  const announcement = await findAnnouncement(desk, id);
  const changes = (await desk.changes({ id: announcement.id })).changes.toReversed();
  return {
    value: { announcement: announcementJson(announcement), changes },
    text: (paint, columns) =>
      paragraphs(
        `${paint.bold(announcement.id)} is ${announcement.state}.`,
        describeAnnouncement(announcement, clock, paint, columns),
        changes.flatMap((change) => changeLines(change, clock.zone, paint, columns)),
      ),
  };
};

export const readLog: DeskCommand<Texts<'limit'>> = async ([id], options, io) => {
  const limit = parseLimit(options.limit);
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const { changes: shown, total } = await desk.changes({ id }, limit);
  // An announcement that was written into the file by hand has no changes.
  if (id !== undefined && total === 0) await findAnnouncement(desk, id);
  return {
    value: { changes: shown, total },
    text: (paint, columns) => {
      if (shown.length === 0) return `Nothing ${id === undefined ? '' : `about ${id} `}has been changed yet.`;
      const rest = total - shown.length;
      return paragraphs(
        shown.flatMap((change) => changeLines(change, zone, paint, columns)),
        rest > 0 && paint.dim(`${rest} earlier: --limit ${total} shows all.`),
        paint.dim(`Times are in ${zone}. typebadge announce undo NUMBER undoes a change.`),
      );
    },
  };
};

type PreviewCommand = DeskCommand<ReaderTexts & Texts<'at'>>;

export const previewAnnouncement: PreviewCommand = async (words, options, io) => {
  const [id] = words;
  const { site, path, lang, at } = options;
  if ([site, path, lang, at].some((text) => text !== undefined)) return previewPage(words, options, io);
  const desk = await openDesk(options, io);
  const isNone = id === undefined && (await desk.list({ limit: 1 })).current === null;
  const shown = isNone ? null : await findAnnouncement(desk, id);
  return {
    value: { announcement: shown && announcementJson(shown) },
    text: (paint, columns) =>
      shown === null
        ? 'No announcement is shown now.'
        : [...drawBadge(shown, paint, columns), '', describeLink(shown)].join('\n'),
  };
};

/** What a reader who has dismissed nothing sees on a page, and why not the other active announcements. */
const previewPage: PreviewCommand = async ([id], options, io) => {
  const { site, path, language } = required(parseReader(options));
  const clock = { zone: zoneOf(options, io), now: io.now() };
  const instant = required(readEarlyEnd(options.at, clock));
  if (instant !== undefined && instant < Math.floor(clock.now / 1000) * 1000)
    throw new UsageError(`--at: ${options.at} is in the past; typebadge announce log shows what changed`);
  if (id !== undefined)
    throw new UsageError('--site, --path, --lang and --at show what readers see; leave out the id');
  const desk = await openDesk(options, io);
  const moment = instant === undefined ? undefined : instantText(instant);
  const preview = await desk.preview({ site, path, lang: language, at: moment });
  const { at, announcement, others, siteListed, next } = preview;
  const active = [announcement ?? [], others]
    .flat()
    .sort((a, b) => a.rank - b.rank)
    .map(({ place, after, translated, message, ...entry }) => ({
      ...{ id: entry.id, place, after, translated, message },
      why: entry.reason,
    }));
  return {
    value: {
      at,
      reader: { site: site ?? null, path: path ?? null, language: language ?? null },
      siteListed,
      announcement: announcement && setFields(announcement, ['id', 'message', 'link', ...drawnNames]),
      active,
    },
    text: (paint, columns) =>
      paragraphs(
        instant !== undefined && `What readers see at ${formatMoment(instant, clock)}:`,
        announcement !== null && drawBadge(announcement, paint, columns),
        announcement === null ? 'No announcement is shown.' : describeLink(announcement),
        siteListed === false && [
          `${site} is not on the allow-list. To add it: ${desk.command('origins', 'add', String(site))}`,
          ...(active.length === 0 ? [] : ['Once it is there:']),
        ],
        active.length === 0
          ? 'No announcement is active.'
          : active.flatMap(({ id: name, why }) =>
              besideHead(`${paint.bold(safeText(name).padEnd(10))}  `, safeText(why), 12, columns),
            ),
        instant !== undefined &&
          next !== null &&
          `The next change is at ${formatMoment(Date.parse(next), clock)}.`,
      ),
  };
};

export const readStats: DeskCommand<Texts<'days'>> = async ([id], options, io) => {
  const { days = '30' } = options;
  if (!/^[1-9]\d{0,3}$/.test(days) || Number(days) > 3660)
    throw new UsageError(`--days takes a whole number from 1 to 3660, not "${days}"`);
  const desk = await openDesk(options, io);
  const stats = await desk.stats({ days: Number(days), id });
  if (id !== undefined && stats.announcements.length === 0) await findAnnouncement(desk, id);
  return { value: stats, text: (paint, columns) => statsText(stats, paint, columns) };
};

const numberWidth = 11;

function statsText(stats: Awaited<ReturnType<Desk['stats']>>, paint: Paint, columns: number): string {
  const { announcements, total, since, until } = stats;
  const period = `${safeText(since)} to ${safeText(until)}, days in UTC`;
  if (announcements.length === 0) return `Nothing was counted from ${period}.`;
  // A narrow terminal has the name above its numbers.
  const nameWidth = Math.min(columns, 110) - 4 * numberWidth;
  const row = (name: string, ...numbers: readonly string[]) => {
    const cells = numbers.map((text) => text.padStart(numberWidth)).join('');
    return nameWidth < 24 ? `${name}\n${cells}` : `${fitted(name, nameWidth)}${cells}`;
  };
  const counts = (name: string, { impressions, clicks, dismissals, clickThrough }: Tally) => {
    const rate = clickThrough === null ? '–' : `${(clickThrough * 100).toFixed(1)} %`;
    return row(safeText(name), String(impressions), String(clicks), rate, String(dismissals));
  };
  return [
    `${paint.bold('Shown and clicked')}, ${period}`,
    '',
    paint.dim(row('ANNOUNCEMENT AND SITE', 'SHOWN', 'CLICKS', 'RATE', 'DISMISSED')),
    ...announcements.flatMap(({ id, message, sites, ...tally }) => [
      paint.bold(counts(`${id}  ${message ?? '(no longer in the history)'}`, tally)),
      ...sites.map((site) => counts(`  ${site.site}`, site)),
    ]),
    ...(announcements.length > 1 ? [counts('All', total)] : []),
  ].join('\n');
}
