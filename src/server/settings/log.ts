import type { Writable } from 'node:stream';
import kleur from 'kleur';
import { visibleText } from '../../kit/visible-text.ts';
import type { ServeConfig } from './config.ts';

type Level = 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | undefined>>;

export type Log = Readonly<Record<Level, (message: string, fields?: LogFields) => void>>;

interface LogOptions {
  readonly format: ServeConfig['log'];
  /** Number of the worker that writes it, for JSON lines; undefined: there is only one process, or it is the parent. */
  readonly worker?: number | undefined;
  /**
   * Default: JSON goes to standard output, for programs; pretty lines go to standard error, apart from a
   * command's output.
   */
  readonly write?: (line: string) => void;
}

export function createLog({ format, worker, write }: LogOptions): Log {
  const lineOf = format === 'json' ? createJsonLine(worker) : createPrettyLine(process.stderr.isTTY === true);
  const leftOut = 'log lines were left out: the log is read too slowly';
  const output = format === 'json' ? process.stdout : process.stderr;
  const writeLine = write ?? createLogOutput(output, (lines) => lineOf('warn', leftOut, { lines }));
  const say = (level: Level) => (message: string, fields?: LogFields) => {
    if (format !== 'off') writeLine(lineOf(level, message, fields));
  };
  return { info: say('info'), warn: say('warn'), error: say('error') };
}

type LineOf = (level: Level, message: string, fields?: LogFields) => string;

/**
 * Always `time` (ISO 8601), `level` and `message`, then the number of the worker where there are several, and
 * the fields of the event.
 */
function createJsonLine(worker: number | undefined): LineOf {
  return (level, message, fields) =>
    `${visibleText(JSON.stringify({ time: new Date().toISOString(), level, message, worker, ...fields }))}\n`;
}

function createPrettyLine(hasColours: boolean): LineOf {
  // kleur only checks standard output (and NO_COLOR), but this log goes to standard error.
  const dim = hasColours ? kleur.dim : String;
  const colours = { info: kleur.cyan, warn: kleur.yellow, error: kleur.red };
  return (level, message, fields = {}) => {
    const time = new Date().toISOString().slice(11, 19);
    const mark = level.padEnd(5);
    const details = Object.entries(fields).map(
      ([name, value]) => ` ${dim(`${name}=`)}${visibleText(String(value))}`,
    );
    return `${dim(time)} ${hasColours ? colours[level](mark) : mark} ${visibleText(message)}${details.join('')}\n`;
  };
}

/** Maximum number of bytes that wait for a reader that has stopped. */
const maxWaitingBytes = 1024 * 1024;

/**
 * Writes to a stream whose reader may stop, with a bound on what waits for it: clients cause log lines, so
 * without a bound they could fill the memory. Lines beyond it are left out and counted.
 *
 * @param notice the line that replaces those that were left out
 */
export function createLogOutput(
  stream: Writable,
  notice: (missing: number) => string,
): (line: string) => void {
  let missing = 0;
  const tellWhatIsMissing = () => {
    stream.off('drain', tellWhatIsMissing);
    if (missing > 0) stream.write(notice(missing));
    missing = 0;
  };
  return (line) => {
    if (stream.writableLength + line.length > maxWaitingBytes) {
      if (missing === 0) stream.once('drain', tellWhatIsMissing);
      missing += 1;
      return;
    }
    tellWhatIsMissing();
    stream.write(line);
  };
}

/** Maximum number of lines of one message in a minute. */
const maxLines = 10;
const minute = 60_000;
/** Maximum number of messages counted separately: their texts may depend on what clients send. */
const maxMessages = 20;
const otherMessage = 'other messages';

type BoundWrite = (message: string, fields: LogFields) => void;

/**
 * Bounds log lines that clients can cause as often as they like: ten of each message in a minute, and at its
 * end one that says how many were left out. No flood of one message hides another.
 */
export function boundLines(write: BoundWrite): BoundWrite {
  const counts = new Map<string, number>();
  const endMinute = () => {
    for (const [message, count] of counts)
      if (count > maxLines) write(message, { left_out: count - maxLines });
    counts.clear();
  };
  return (message, fields) => {
    if (counts.size === 0) setTimeout(endMinute, minute).unref();
    const counted = counts.has(message) || counts.size < maxMessages ? message : otherMessage;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, count);
    if (count <= maxLines) write(message, fields);
  };
}
