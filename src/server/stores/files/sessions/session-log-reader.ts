import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readLines } from '../../../../kit/files/line-reader.ts';
import { openRegularFile } from '../../../../kit/files/regular-file.ts';
import { parseEvent, type SessionEvent, sessionLogVersion } from '../../session-events/session-event.ts';
import { parseEventsV1 } from '../../session-events/session-event-v1.ts';

const namePattern = /^log-\d+\.jsonl$/;

/**
 * The logs below a folder, oldest first: those of folders that its owner had taken over, then its own.
 */
export async function findLogs(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.map(({ name }) => name).sort();
  const logs: string[] = [];
  for (const name of names.filter((each) => each.startsWith('taken-'))) {
    logs.push(...(await findLogs(join(dir, name))));
  }
  return [...logs, ...names.filter((name) => namePattern.test(name)).map((name) => join(dir, name))];
}

/**
 * Reads a log line by line and passes the events of each, or undefined if it is damaged. A torn last line is not reported: its
 * writer was killed, or failed and began another log. Memory does not grow with the log.
 */
export async function readLog(
  path: string,
  onLine: (events: readonly SessionEvent[] | undefined, line: Buffer) => void,
  afterChunk?: () => Promise<void>,
): Promise<void> {
  const handle = await openRegularFile(path);
  try {
    await readLines(handle, 0, (line) => onLine(parseLine(line), line), afterChunk);
  } finally {
    await handle.close();
  }
}

/** Whether a log was written by a later version of this program. Its first line decides, because a log has only one writer. */
export async function isOfLaterVersion(path: string): Promise<boolean> {
  const handle = await openRegularFile(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    const [, version] = /^\{"v":(\d+)[,}]/.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    return Number(version) > sessionLogVersion;
  } finally {
    await handle.close();
  }
}

function parseLine(line: Buffer): readonly SessionEvent[] | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(line.toString());
  } catch {
    return undefined;
  }
  const event = parseEvent(raw);
  return event === undefined ? parseEventsV1(raw) : [event];
}
