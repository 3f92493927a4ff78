import { currentAnnouncement } from '../../announcements/schedule.ts';
import type { Desk } from '../desk/port/desk.ts';
import { type AnnouncementJson, allAnnouncements } from '../display/announcement-json.ts';
import { UsageError } from '../program/command-errors.ts';
import { type CommandIo, isInteractive } from '../program/command-io.ts';
import type { ReportOptions } from '../program/report.ts';
import { chooseAnnouncement } from './announcement-choice.ts';

export interface WhichOptions extends ReportOptions {
  readonly command: 'edit' | 'expire' | 'withdraw';
}

/** The id that was given, or the announcement that is chosen on a terminal. Without one nothing is guessed. */
export async function whichAnnouncement(
  id: string | undefined,
  desk: Desk,
  { command, json }: WhichOptions,
  io: CommandIo,
): Promise<string> {
  if (id !== undefined) return id;
  const { history } = await desk.read();
  if (json !== true && isInteractive(io)) {
    const announcements = allAnnouncements(history, io.now());
    return (await chooseAnnouncement(announcements, choices[command], io)).id;
  }
  const current = currentAnnouncement(history, io.now());
  const example =
    current === undefined
      ? 'see typebadge announce list'
      : `for the current one: typebadge announce ${command} ${current.id}`;
  throw new UsageError(`the id of the announcement is missing; ${example}`);
}

const choices = {
  edit: {
    title: 'Which announcement to change?',
    isOffered: ({ state }: AnnouncementJson) => state !== 'withdrawn',
    noneLeft: 'there is no announcement to change; make one with typebadge announce publish',
  },
  expire: {
    title: 'Which announcement to end?',
    isOffered: ({ state }: AnnouncementJson) => state === 'active' || state === 'superseded',
    noneLeft: 'there is no announcement to end',
  },
  withdraw: {
    title: 'Which announcement to withdraw?',
    isOffered: ({ state }: AnnouncementJson) => state !== 'withdrawn',
    noneLeft: 'there is no announcement to withdraw',
  },
} as const;
