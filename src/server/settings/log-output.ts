import type { Writable } from 'node:stream';

/** Bytes of lines that wait for a reader that stands still. */
const maxWaitingBytes = 1024 * 1024;

/**
 * Writes to a stream whose reader may stand still, with a bound on what waits for it: strangers make the server log, so without one
 * they would fill its memory. Lines beyond it are left out and counted.
 *
 * @param toNotice the line that replaces those that were left out
 */
export function createLogOutput(
  stream: Writable,
  toNotice: (missing: number) => string,
): (line: string) => void {
  let missing = 0;
  return (line) => {
    if (stream.writableLength + line.length > maxWaitingBytes) {
      missing += 1;
      if (missing === 1) stream.once('drain', tellWhatIsMissing);
      return;
    }
    if (missing > 0) tellWhatIsMissing();
    stream.write(line);
  };

  function tellWhatIsMissing(): void {
    if (missing === 0) return;
    stream.off('drain', tellWhatIsMissing);
    stream.write(toNotice(missing));
    missing = 0;
  }
}
