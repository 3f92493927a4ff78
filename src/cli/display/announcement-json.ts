import type { StoredAnnouncement } from '../../announcements/announcement.ts';
import { type FieldName, fieldNames, shownValueOf } from '../../announcements/fields.ts';
import type { AnnouncementState } from '../../announcements/schedule.ts';
import type { DeskAnnouncement } from '../../contract/desk-types.ts';

/** An announcement as `--json` prints it: every field, where it is not set its default or null. Fields are added, never changed. */
export type AnnouncementJson = {
  readonly [N in FieldName]: N extends 'alongside' | 'dismissible' ? boolean : Stored<N>;
} & { readonly state: AnnouncementState };

type Stored<N extends FieldName> = undefined extends StoredAnnouncement[N]
  ? Exclude<StoredAnnouncement[N], undefined> | null
  : StoredAnnouncement[N];

export function announcementJson(announcement: DeskAnnouncement): AnnouncementJson {
  const values = fieldNames.map((name) => [name, shownValueOf(announcement, name)]);
  return { ...Object.fromEntries(values), state: announcement.state };
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
