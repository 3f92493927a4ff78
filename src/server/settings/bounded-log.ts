import type { LogFields } from './log.ts';

/** Lines in a minute. */
const mostLines = 10;
const minute = 60_000;

/**
 * Logs what strangers can repeat as often as they like: ten lines in a minute. The next line says how many were left out.
 *
 * @param now milliseconds of a clock that is never set back
 */
export function boundLines(
  write: (message: string, fields: LogFields) => void,
  now: () => number = () => performance.now(),
): (message: string, fields: LogFields) => void {
  let since = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let missing = 0;
  return (message, fields) => {
    if (now() - since >= minute) {
      since = now();
      lines = 0;
    }
    lines += 1;
    if (lines > mostLines) {
      missing += 1;
      return;
    }
    write(message, missing === 0 ? fields : { ...fields, left_out: missing });
    missing = 0;
  };
}
