import { safeText } from '../../kit/terminal-text.ts';
import { type AnnouncementJson, inReadingOrder } from '../display/announcement-json.ts';
import { DeclinedError, RefusedError, UsageError } from '../program/command-errors.ts';
import { type CommandIo, isInteractive } from '../program/command-io.ts';
import type { ReportOptions } from '../program/report.ts';
import { createPrompts } from './prompts.ts';

export interface WhichOptions extends ReportOptions {
  readonly command: 'edit' | 'expire' | 'withdraw';
  /** All announcements. */
  readonly list: () => Promise<readonly AnnouncementJson[]>;
}

/** The id that was given, or the announcement that is chosen on a terminal. Without one nothing is guessed. */
export async function whichAnnouncement(
  id: string | undefined,
  { command, json, list }: WhichOptions,
  io: CommandIo,
): Promise<string> {
  if (id !== undefined) return id;
  const announcements = inReadingOrder(await list());
  if (json !== true && isInteractive(io)) return choose(announcements, questions[command], io);
  const current = announcements.find(({ state }) => state === 'active');
  const example =
    current === undefined
      ? 'see typebadge announce list'
      : `for the current one: typebadge announce ${command} ${current.id}`;
  throw new UsageError(`the id of the announcement is missing; ${example}`);
}

interface Question {
  readonly title: string;
  readonly isOffered: (announcement: AnnouncementJson) => boolean;
  readonly noneLeft: string;
}

const questions: Readonly<Record<WhichOptions['command'], Question>> = {
  edit: {
    title: 'Which announcement to change?',
    isOffered: ({ state }) => state !== 'withdrawn',
    noneLeft: 'there is no announcement to change; make one with typebadge announce publish',
  },
  expire: {
    title: 'Which announcement to end?',
    isOffered: ({ state }) => state === 'active' || state === 'superseded',
    noneLeft: 'there is no announcement to end',
  },
  withdraw: {
    title: 'Which announcement to withdraw?',
    isOffered: ({ state }) => state !== 'withdrawn',
    noneLeft: 'there is no announcement to withdraw',
  },
};

async function choose(
  announcements: readonly AnnouncementJson[],
  { title, isOffered, noneLeft }: Question,
  io: CommandIo,
): Promise<string> {
  const offered = announcements.filter(isOffered);
  if (offered.length === 0) throw new RefusedError(noneLeft);
  const prompts = await createPrompts(io, () => new DeclinedError('nothing was changed'));
  const choices = offered.map(({ id, state, message }) => ({
    value: id,
    label: `${id}  ${state}  ${safeText(message)}`,
  }));
  return prompts.choose(title, choices);
}
