import type { FieldName, StoredAnnouncement } from './fields.ts';

/** A field that contradicts another one. */
export interface Inconsistency {
  readonly field: FieldName;
  readonly problem: string;
}

/** Problems that no field shows on its own. */
export function inconsistencies({ published, expires, expired }: StoredAnnouncement): Inconsistency[] {
  const found: Inconsistency[] = [];
  if (published >= expires) found.push({ field: 'expires', problem: 'expires must be after published' });
  if (expired !== undefined && published > expired)
    found.push({ field: 'expired', problem: 'expired must not be before published' });
  return found;
}
