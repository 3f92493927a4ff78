import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';

/** Bytes of damage kept in memory before they are put aside. */
const longestPart = 4 * 1024 * 1024;

/** Told how many lines could not be read, and in which file they were put aside; undefined where that failed. */
export type DamageListener = (lines: number, aside: string | undefined) => void;

/** Collects the lines of a journal that could not be read, puts them aside and says so. */
export interface DamageReport {
  add(line: Buffer): void;
  report(): Promise<void>;
}

/**
 * Puts lines aside in `<path>.damaged-<hash>`, named by what is in it: the journal is never rewritten (another server may
 * be appending to it), so the same lines are met again at every start, and that file tells that they were told before.
 */
export function createDamageReport(
  path: string,
  isKnown: (id: string) => boolean,
  onDamage: DamageListener,
): DamageReport {
  let lines: Buffer[] = [];
  let length = 0;
  return {
    add(line) {
      // Copied, because the line is a view of a large chunk.
      if (length < longestPart) lines.push(Buffer.from(line));
      length += line.length;
    },
    async report() {
      const lost = lines.filter((line) => !isTornAttempt(line.toString('latin1'), isKnown));
      lines = [];
      length = 0;
      if (lost.length === 0) return;
      const text = Buffer.concat(lost.flatMap((line) => [line, Buffer.from('\n')]));
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
      const aside = `${path}.damaged-${hash}`;
      const outcome = await writeNew(aside, text);
      if (outcome !== 'known') onDamage(lost.length, outcome === 'written' ? aside : undefined);
    },
  };
}

/**
 * Whether a line is the torn beginning of a round that is there in whole (its save failed on a full disk, say, and a
 * later one succeeded), or so short that it says nothing of a round at all.
 */
function isTornAttempt(line: string, isKnown: (id: string) => boolean): boolean {
  const beginning = '{"v":1,"id":"';
  if (beginning.startsWith(line)) return true;
  if (!line.startsWith(beginning)) return false;
  const [id, ...rest] = line.slice(beginning.length).split('"');
  return rest.length === 0 || isKnown(id as string);
}

async function writeNew(path: string, text: Buffer): Promise<'written' | 'known' | 'failed'> {
  try {
    await writeFile(path, text, { flag: 'wx' });
    return 'written';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'known';
    // A torn copy would be taken for a whole one the next time.
    await rm(path, { force: true }).catch(() => undefined);
    return 'failed';
  }
}
