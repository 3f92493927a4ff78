import { Temporal } from 'temporal-polyfill';

/**
 * A zone's name in its usual spelling: `Europe/Berlin` for `europe/berlin`, `US/Pacific` for `us/pacific`.
 * Aliases are kept, while Intl alone would replace them. Undefined: there is no such zone.
 */
export function zoneSpelling(zone: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch {
    return undefined;
  }
}

/** The date in a zone at an instant (epoch milliseconds). */
export function localDate(instant: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();
}

/** An instant (epoch milliseconds) in local time: `2026-12-31 18:00`, with seconds if there are any. */
export function localText(instant: number, zone: string): string {
  return clockText(
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime(),
  );
}

export function clockText(plain: Temporal.PlainDateTime): string {
  return plain.toString({ smallestUnit: plain.second === 0 ? 'minute' : 'second' }).replace('T', ' ');
}
