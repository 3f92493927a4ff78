import { readEarlyEnd } from '../../../announcements/changes/draft.ts';
import { parseReader, type ReaderTexts } from '../../../announcements/reader-view.ts';
import { instantText } from '../../../announcements/times/instant.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { required } from '../../desk/change-options.ts';
import { findAnnouncement } from '../../desk/desk.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { announcementJson, besideHead, formatMoment, zoneOf } from '../../display/announcement-text.ts';
import { describeLink, drawBadge } from '../../display/badge-drawing.ts';
import { UsageError } from '../../program/command-io.ts';
import { paragraphs } from '../../program/report.ts';
import type { DeskCommand } from '../../program/subcommand.ts';

type PreviewCommand = DeskCommand<ReaderTexts & { readonly at?: string }>;

/** The badge as visitors see it: of the current announcement, or of the one with that id. */
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
  const active = [...(announcement === null ? [] : [announcement]), ...others]
    .sort((a, b) => a.rank - b.rank)
    .map(({ id: name, place, after, translated, message, reason }) => ({
      ...{ id: name, place, after, translated, message },
      why: reason,
    }));
  const words = announcement && {
    ...{ id: announcement.id, message: announcement.message, markdown: announcement.markdown },
    ...{ link: announcement.link, linkLabel: announcement.linkLabel },
  };
  return {
    value: {
      at,
      reader: { site: site ?? null, path: path ?? null, language: language ?? null },
      siteListed,
      announcement: words,
      active,
    },
    text: (paint, columns) =>
      paragraphs(
        instant !== undefined && `What readers see at ${formatMoment(instant, clock)}:`,
        announcement !== null && drawBadge(announcement, paint, columns),
        announcement === null ? 'No announcement is shown.' : describeLink(announcement),
        siteListed === false &&
          `${site} is not on the allow-list. To add it: ${desk.command('origins', 'add', String(site))}`,
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
