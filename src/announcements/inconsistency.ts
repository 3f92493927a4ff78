import type { FieldName, StoredAnnouncement } from './fields.ts';

/** A field that cannot be as it is because of another. */
export interface Inconsistency {
  readonly field: FieldName;
  readonly problem: string;
}

/** What no field shows by itself. */
export function inconsistencies({ published, expires, expired }: StoredAnnouncement): Inconsistency[] {
  const found: Inconsistency[] = [];
  if (published >= expires) found.push({ field: 'expires', problem: 'expires must be after published' });
  if (expired !== undefined && published > expired)
    found.push({ field: 'expired', problem: 'expired must not be before published' });
  return found;
}
