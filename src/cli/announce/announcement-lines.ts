import type { Paint } from '../paint.ts';
import { pad, toTerminalText, wrap } from '../text-width.ts';
import type { AnnouncementJson } from './announcement-json.ts';
import { toClockText, toRelativeText } from './moments.ts';

const labelWidth = 11;

/** The fields of an announcement, one below the other, long ones wrapped. */
export function describeAnnouncement(
  announcement: AnnouncementJson,
  { zone, now }: { readonly zone: string; readonly now: number },
  paint: Paint,
  columns: number,
): string[] {
  const { message, link, published, expires, expired, withdrawn, alongside } = announcement;
  const moment = (instant: string) =>
    `${toClockText(instant, zone)}  (${toRelativeText(Date.parse(instant), now)})`;
  const rows: [string, string][] = [
    ['Message', toTerminalText(message)],
    ['Link', link === '' ? 'none' : link],
    ['From', moment(published)],
    ['Until', moment(expires)],
  ];
  if (expired !== null) rows.push(['Ended', `${moment(expired)} by an editor`]);
  if (withdrawn !== null) rows.push(['Withdrawn', moment(withdrawn)]);
  if (alongside) rows.push(['Alongside', 'yes: earlier announcements stay active beside it']);
  rows.push(['Times', `in ${zone}`]);
  return rows.flatMap(([label, value]) => labelled(label, value, paint, columns));
}

function labelled(label: string, value: string, paint: Paint, columns: number): string[] {
  const [first = '', ...rest] = wrap(value, Math.max(20, columns - labelWidth - 3));
  const indent = ' '.repeat(labelWidth + 2);
  return [`  ${paint.dim(pad(label, labelWidth))}${first}`, ...rest.map((line) => indent + line)];
}
