/** The last second of the year 9999, which is the last of four digits. */
export const latestInstant = Date.UTC(9999, 11, 31, 23, 59, 59);

const pattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Epoch milliseconds of ISO 8601 with `Z` or an offset, without fractions of a second; else undefined. */
export function parseInstant(text: string): number | undefined {
  const [, date, time, seconds = ':00', zone] = pattern.exec(text) ?? [];
  if (zone === undefined) return undefined;
  const wallClock = Date.parse(`${date}T${time}${seconds}Z`);
  // Date.parse lets 30 February and 24:00 roll over; an editor who writes that means something else.
  if (new Date(wallClock).getUTCDate() !== Number(date?.slice(8))) return undefined;
  const instant = Date.parse(`${date}T${time}${seconds}${zone}`);
  return instant >= 0 && instant <= latestInstant ? instant : undefined;
}

/** Epoch milliseconds to `YYYY-MM-DDTHH:MM:SSZ`, fractions of a second dropped. */
export function instantText(instant: number): string {
  return new Date(Math.floor(instant / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
