import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { isOfLaterVersion } from '../../../journal-line.ts';

/** Most bytes of damaged lines kept in memory. */
const longestPart = 4 * 1024 * 1024;

/** Called with the number of unreadable lines, and the file with copies of them; undefined if it could not be written. */
export type DamageListener = (lines: number, aside: string | undefined) => void;

/** Called with the number of lines of a later version, which stay where they are. */
export type LaterListener = (lines: number) => void;

/** Collects the unreadable lines of a journal, copies them to a file and reports them. */
export interface DamageReport {
  add(line: Buffer): void;
  report(): Promise<void>;
}

/**
 * Copies damaged lines to `<path>.damaged-<hash>`, named after its contents. The journal itself is not rewritten (another server
 * may be appending to it), so every start finds the same lines, and that file shows that they were already reported.
 */
export function createDamageReport(
  path: string,
  isKnown: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
  onDamage: DamageListener,
  onLater: LaterListener = () => undefined,
): DamageReport {
  let found = newFindings();
  return {
    add(line) {
      if (isOfLaterVersion(line.toString())) {
        found.later++;
        return;
      }
      // A copy, because the line is a view of a large chunk.
      if (found.bytes < longestPart) found.lines.push(Buffer.from(line));
      found.bytes += line.length;
    },
    async report() {
      const { lines, later } = found;
      found = newFindings();
      if (later > 0) onLater(later);
      if (lines.length === 0) return;
      const known = await isKnown(lines.flatMap((line) => idOf(line.toString('latin1')).id ?? []));
      const lost = lines.filter((line) => !isTornAttempt(line.toString('latin1'), known));
      if (lost.length === 0) return;
      const text = Buffer.concat(lost.flatMap((line) => [line, Buffer.from('\n')]));
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
      const aside = `${path}.damaged-${hash}`;
      const outcome = await writeNew(aside, text);
      if (outcome !== 'known') onDamage(lost.length, outcome === 'written' ? aside : undefined);
    },
  };
}

/** What was found since the last report. */
interface Findings {
  readonly lines: Buffer[];
  /** Of the lines that could not be read, those that are not kept included. */
  bytes: number;
  /** Lines of a later version. */
  later: number;
}

const newFindings = (): Findings => ({ lines: [], bytes: 0, later: 0 });

/**
 * Whether a line is the torn beginning of a round that also exists in full (its first save failed on a full disk, say, and a
 * later one succeeded), or too short to contain anything of a round.
 */
function isTornAttempt(line: string, known: ReadonlySet<string>): boolean {
  const shortest = '{"v":1,"id":"';
  if (line.length <= shortest.length) return shortest.startsWith(line.replace(/\d/, '1'));
  const { id, isWhole } = idOf(line);
  return id !== undefined && (!isWhole || known.has(id));
}

/** The id that a torn line begins with. */
function idOf(line: string): { readonly id: string | undefined; readonly isWhole: boolean } {
  const [, id, end] = /^\{"v":\d,"id":"([^"]*)("?)/.exec(line) ?? [];
  return { id, isWhole: end === '"' };
}

async function writeNew(path: string, text: Buffer): Promise<'written' | 'known' | 'failed'> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return 'written';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'known';
    // The next start would take a torn copy for a complete one.
    await rm(path, { force: true }).catch(() => undefined);
    return 'failed';
  }
}
