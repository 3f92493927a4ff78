import type { StoredAnnouncement } from './fields.ts';

/** Optional fields that visitors get, if they are set. */
const publicNames = ['severity', 'dismissible', 'linkLabel', 'translations', 'audience'] as const;
export type PublicFields = Pick<StoredAnnouncement, (typeof publicNames)[number]>;

export function publicFieldsOf(entry: StoredAnnouncement): PublicFields {
  return Object.fromEntries(
    publicNames.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])),
  );
}
