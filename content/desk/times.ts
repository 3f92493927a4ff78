/** The editor's time zone, such as `Europe/Berlin`. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const inUtc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** An instant in the editor's time zone, for reading. */
export function localText(instant: string): string {
  return format.format(new Date(instant));
}

export function utcText(instant: string): string {
  return `${inUtc.format(new Date(instant))} UTC`;
}

/** The value of a `datetime-local` field, without seconds. */
export function fieldOfInstant(instant: string): string {
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The instant that the value of a `datetime-local` field means here; undefined if it is empty. */
export function instantOfField(value: string): string | undefined {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace(/\.\d+/, '');
}
