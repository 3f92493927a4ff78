import type { HistoryFile, StoredAnnouncement } from '../../announcements/announcement.ts';
import { type FieldName, fieldNames, shownValueOf } from '../../announcements/fields.ts';
import {
  type AnnouncementState,
  announcementStates,
  currentAnnouncement,
} from '../../announcements/schedule.ts';
import { RefusedError } from '../program/command-errors.ts';

/** An announcement as `--json` prints it: every field, where it is not set its default or null. Fields are added, never changed. */
export type AnnouncementJson = {
  readonly [N in FieldName]: N extends 'alongside' | 'dismissible' ? boolean : Stored<N>;
} & { readonly state: AnnouncementState };

type Stored<N extends FieldName> = undefined extends StoredAnnouncement[N]
  ? Exclude<StoredAnnouncement[N], undefined> | null
  : StoredAnnouncement[N];

function toAnnouncementJson(entry: StoredAnnouncement, state: AnnouncementState): AnnouncementJson {
  const values = fieldNames.map((name) => [name, shownValueOf(entry, name)]);
  return { ...Object.fromEntries(values), state };
}

/** Every announcement with its state at `now`, in the order of the file. */
export function allAnnouncements(history: HistoryFile, now: number): AnnouncementJson[] {
  return announcementStates(history, now).map(({ entry, state }) => toAnnouncementJson(entry, state));
}

/** The announcement with that id, or the current one where none is given. */
export function findAnnouncement(
  history: HistoryFile,
  id: string | undefined,
  now: number,
): AnnouncementJson {
  const wanted = id ?? currentAnnouncement(history, now)?.id;
  if (wanted === undefined)
    throw new RefusedError('no announcement is shown now; typebadge announce list shows all there are');
  const found = allAnnouncements(history, now).find((candidate) => candidate.id === wanted);
  if (found === undefined)
    throw new RefusedError(`there is no announcement ${wanted}; typebadge announce list shows all there are`);
  return found;
}

/** Active ones first, then scheduled (the soonest first), then past (the latest first). */
export function inReadingOrder(announcements: readonly AnnouncementJson[]): AnnouncementJson[] {
  const newestFirst = announcements
    .toReversed()
    .toSorted((a, b) => (a.published < b.published ? 1 : a.published > b.published ? -1 : 0));
  const inState = (wanted: (state: AnnouncementState) => boolean) =>
    newestFirst.filter(({ state }) => wanted(state));
  return [
    ...inState((state) => state === 'active'),
    ...inState((state) => state === 'scheduled').reverse(),
    ...inState((state) => state !== 'active' && state !== 'scheduled'),
  ];
}

/** The instant (text) at which it ends or ended. */
export function endOf({ expires, expired, withdrawn }: AnnouncementJson): string {
  return withdrawn ?? (expired !== null && expired < expires ? expired : expires);
}
