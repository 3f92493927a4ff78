import { readFile } from 'node:fs/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { describeSince } from '../../announcements/changes/change-log.ts';
import { unlistedSites } from '../../announcements/listed-sites.ts';
import { isSameValue } from '../../announcements/values/object-parts.ts';
import type { AnnouncementList, ChangedAnnouncement } from '../../contract/desk-types.ts';
import { packageFile } from '../../kit/package-files.ts';
import { type ChangeView, toChangeReport } from '../display/change-report.ts';
import { toCommand } from '../display/desk-place.ts';
import { toLocalTimes } from '../display/moments.ts';
import { RefusedError } from '../program/command-errors.ts';
import type { Report } from '../program/report.ts';
import { type Answered, type Desk, ServerRefusal } from './desk.ts';
import type { OpenDesk } from './open-desk.ts';

/** Waits for a change, then asks the servers whether they show it, and reports both. */
export async function reportChange(
  desk: OpenDesk,
  kind: 'publish' | 'edit' | 'expire' | 'withdraw',
  change: Promise<Answered<ChangedAnnouncement>>,
  view: ChangeView,
): Promise<Report> {
  const { value: answer, date: now = view.now } = await change.catch((error) =>
    Promise.reject(withLocalTimes(error, view.zone)),
  );
  const servers = view.dryRun ? [] : await desk.views();
  const sites = kind === 'publish' || kind === 'edit' ? (answer.audience?.sites ?? []) : [];
  const notes = await warningsOfSites(desk, sites);
  const nextSteps = kind === 'publish' && !view.dryRun ? await findNextSteps(desk, answer.id) : [];
  return toChangeReport({ place: desk.place, answer, servers, notes, nextSteps }, { ...view, now });
}

/** The rules say in UTC why a change cannot be; the editor means another zone, and reads that one. */
export function withLocalTimes(error: unknown, zone: string): unknown {
  return error instanceof RefusedError ? new RefusedError(toLocalTimes(error.message, zone)) : error;
}

/** A list that cannot be read says nothing about a change that is made by now: other commands report it. */
const originsOf = (desk: Desk) => desk.origins().catch(() => undefined);

/** On sites that no entry of the list lets in, nobody sees the announcement. */
async function warningsOfSites(desk: OpenDesk, sites: readonly string[]): Promise<string[]> {
  const origins = sites.length === 0 ? undefined : await originsOf(desk);
  const unlisted = origins === undefined ? [] : unlistedSites(sites, origins);
  if (unlisted.length === 0) return [];
  const verb = unlisted.length === 1 ? 'is' : 'are';
  return [
    `${unlisted.join(' and ')} ${verb} not on the allow-list: until that changes (${toCommand(desk.place, 'origins', 'add', ...unlisted)}), the badge shows only its logo there`,
  ];
}

/** What is left to do after the first announcement of a folder, store or server: who made it may not know yet. */
async function findNextSteps(desk: OpenDesk, id: string): Promise<string[]> {
  const { announcements, total } = (await desk.list({ limit: 2 })).value;
  const [other, ...more] = announcements.filter((announcement) => announcement.id !== id);
  const isFirst = total === 1;
  const isSample = total === 2 && more.length === 0 && other !== undefined && (await isOfSample(other));
  if (!isFirst && !isSample) return [];
  const { place } = desk;
  const add = toCommand(place, 'origins', 'add', 'https://example.org');
  return [
    ...((await originsOf(desk))?.length === 0
      ? [`No site is on the allow-list yet. To let one show the badge: ${add}`]
      : []),
    ...(isSample
      ? [
          `To remove the sample from the public history: ${toCommand(place, 'announce', 'withdraw', other.id)}`,
        ]
      : []),
  ];
}

/** Whether it is what a new content folder is filled with. */
async function isOfSample({ message, state }: { readonly message: string; readonly state: string }) {
  const text = await readFile(packageFile('content', 'sample', 'history.json'), 'utf8');
  const sample: HistoryFile = JSON.parse(text);
  return state !== 'withdrawn' && sample.announcements.some((entry) => entry.message === message);
}

/** How often a change is sent again because others were faster with announcements that it does not touch. */
const maxTurns = 5;

/**
 * Edits an announcement as it was seen. Refused if somebody else has changed it since; what others did to other announcements is no
 * conflict.
 */
export async function editSeen(
  desk: Desk,
  id: string,
  body: object,
  { seen, dryRun }: { readonly seen: Answered<AnnouncementList>; readonly dryRun: boolean },
): Promise<Answered<ChangedAnnouncement>> {
  for (let present = seen, turn = 0; ; turn += 1) {
    try {
      return await desk.edit(id, body, { ifMatch: present.revision, dryRun });
    } catch (error) {
      const isLate = error instanceof ServerRefusal && error.code === 'CHANGED_MEANWHILE';
      if (!isLate || turn === maxTurns) throw error;
      present = await desk.list({ id });
      if (!isSameValue(storedOf(seen), storedOf(present))) throw await conflict(desk, id, seen.revision);
    }
  }
}

function storedOf({ value }: Answered<AnnouncementList>): object | undefined {
  const [announcement] = value.announcements;
  return announcement && { ...announcement, state: undefined };
}

async function conflict(desk: Desk, id: string, revision = ''): Promise<RefusedError> {
  const { changes } = await desk.changes({ id });
  const [, count] = /^"(\d+)-/.exec(revision) ?? [];
  const what = describeSince(changes, Number(count)) ?? 'by hand, in the file itself';
  return new RefusedError(
    `${id} was changed meanwhile: ${what}. Your change was not made: look at it (typebadge announce show ${id}), then decide`,
  );
}
