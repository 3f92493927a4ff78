import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOriginList, type OriginList, type OriginPattern } from '../http/origins.ts';
import type { Log } from '../log.ts';
import type { HistoryFile } from './announcement.ts';
import { createFileWatch } from './file-watch.ts';
import { parseHistoryFile } from './history-file.ts';
import type { FileProblem } from './json-lines.ts';
import { parseOriginsFile } from './origins-file.ts';
import { type PreparedContent, type PublicFace, prepareContent } from './prepared-content.ts';
import { nextTransition } from './schedule.ts';

export interface LiveContentOptions {
  /** The content folder: `history.json`, and `origins.json` where there is one. */
  readonly dir: string;
  /** Origins allowed beside those of the file. */
  readonly allowOrigin: readonly OriginPattern[];
  /** Whether loopback origins count as listed. */
  readonly loopback: boolean;
  readonly face: PublicFace;
  readonly log: Log;
  /** Epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The content as it stands on disk and on the clock, prepared for serving. */
export interface LiveContent {
  prepared(): PreparedContent;
  origins(): OriginList;
  close(): void;
}

/** How often files and clock are looked at, in milliseconds: often enough for "within one second" on a busy machine. */
const lookEvery = 250;

/**
 * Reads the content and keeps it in step with disk and clock. Throws where a file is broken at the start; later on a
 * broken file is reported, and what was read before stays in force.
 */
export async function openLiveContent(options: LiveContentOptions): Promise<LiveContent> {
  const { dir, face, log, now = Date.now } = options;
  const historyPath = join(dir, 'history.json');
  const originsPath = join(dir, 'origins.json');
  const historyWatch = await createFileWatch([historyPath]);
  const originsWatch = await createFileWatch([originsPath]);

  let origins = await readOrigins(originsPath, options);
  let history = await readHistory(historyPath);
  let preparedAt = now();
  let prepared = await prepareContent(history, preparedAt, face);

  const prepareAnew = async () => {
    const instant = now();
    prepared = await prepareContent(history, instant, face);
    preparedAt = instant;
  };
  const isStale = () => {
    const instant = now();
    const transition = nextTransition(history, preparedAt);
    // A clock that was set back makes the prepared answers ones of the future.
    return instant < preparedAt || (transition !== undefined && instant >= transition);
  };
  const look = async () => {
    if (await originsWatch.hasChanged()) {
      await keepingOld(log, async () => {
        origins = await readOrigins(originsPath, options);
        log.info('allow-list re-read', { file: originsPath });
      });
    }
    if (await historyWatch.hasChanged()) {
      await keepingOld(log, async () => {
        history = await readHistory(historyPath);
        await prepareAnew();
        log.info('announcements re-read', { file: historyPath });
      });
    } else if (isStale()) {
      await prepareAnew();
    }
  };

  let timer: NodeJS.Timeout;
  let isClosed = false;
  const lookLater = () => {
    timer = setTimeout(() => void look().catch(report).finally(lookLater), lookEvery);
    timer.unref();
    if (isClosed) clearTimeout(timer);
  };
  const report = (error: unknown) => log.error(`content could not be looked at: ${String(error)}`);
  lookLater();

  return {
    prepared: () => prepared,
    origins: () => origins,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

async function keepingOld(log: Log, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    log.error(`${(error as Error).message}; the version read before stays in force`);
  }
}

async function readHistory(path: string): Promise<HistoryFile> {
  const result = parseHistoryFile(await readText(path));
  if ('problems' in result) throw new Error(toSentence(path, result.problems));
  return result.history;
}

async function readOrigins(path: string, { allowOrigin, loopback }: LiveContentOptions): Promise<OriginList> {
  const result = parseOriginsFile(await readText(path, '{"origins":[]}'));
  if ('problems' in result) throw new Error(toSentence(path, result.problems));
  return createOriginList({ patterns: [...result.patterns, ...allowOrigin], loopback });
}

/** The text of a file; where it is missing, the text given for that case. Throws one sentence that names the file. */
async function readText(path: string, missing?: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && missing !== undefined) return missing;
    throw new Error(
      code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${code ?? message})`,
    );
  }
}

function toSentence(path: string, problems: readonly FileProblem[]): string {
  const [first] = problems;
  const line = first?.line === undefined ? '' : `:${first.line}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return `${path}${line}: ${first?.path ? `${first.path}: ` : ''}${first?.message}${more}`;
}
