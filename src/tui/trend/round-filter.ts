import type { RoundHistory } from '../record/round-history.ts';
import type { RoundRecord, Source } from '../record/round-line.ts';

/** Which rounds the figures are of; what is left out is any. */
export interface RoundFilter {
  /** Such as `words-30`. */
  readonly mode?: string | undefined;
  readonly language?: string | undefined;
  /** Its id, or what the typist calls a layout of their own. */
  readonly layout?: string | undefined;
  /** Where they were typed: here, in another program, or anywhere. Default: here. */
  readonly source?: Source | 'own' | 'all' | undefined;
  /** Only rounds finished at this instant (ISO 8601 UTC) or later. */
  readonly since?: string | undefined;
  /** Only rounds finished before this instant (ISO 8601 UTC). */
  readonly before?: string | undefined;
}

/** The rounds of a history that a filter lets through, oldest first. */
export function filterRounds(history: RoundHistory, filter: RoundFilter): RoundRecord[] {
  return toPool(history, filter.source ?? 'own').filter((record) => fits(record, filter));
}

function toPool({ records, imported }: RoundHistory, source: Source | 'own' | 'all'): readonly RoundRecord[] {
  if (source === 'own') return records;
  if (source !== 'all') return imported.filter((record) => record.source === source);
  return [...records, ...imported].sort((a, b) => (a.finished < b.finished ? -1 : 1));
}

function fits(record: RoundRecord, { mode, language, layout, since, before }: RoundFilter): boolean {
  return (
    (mode === undefined || record.mode === mode) &&
    (language === undefined || record.language === language) &&
    (layout === undefined || record.layout === layout || record.layoutName === layout) &&
    (since === undefined || record.finished >= since) &&
    (before === undefined || record.finished < before)
  );
}
