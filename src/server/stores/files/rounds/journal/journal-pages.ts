import { readLinesBackward } from '../../../../../kit/files/backward-lines.ts';
import { openRegularFile } from '../../../../../kit/files/regular-file.ts';
import { parseJournalLine } from '../../../journal-line.ts';
import type { JournalRound } from '../../../journal-round.ts';
import type { JournalReader } from './journal-reader.ts';

/** Most bytes of lines in one page of a list. */
const longestPart = 512 * 1024;

/**
 * At most `limit` rounds before this one in the file, newest first; without it, the last ones. Fewer if they are large.
 * Undefined if there is no such round.
 */
export async function readBack(
  path: string,
  reader: JournalReader,
  before: string | undefined,
  limit: number,
): Promise<readonly JournalRound[] | undefined> {
  const end = before === undefined ? reader.view().size : (await reader.placesOf([before])).get(before);
  if (end === undefined) return undefined;
  const rounds: JournalRound[] = [];
  let bytes = 0;
  for await (const { round, length } of roundsBefore(path, reader, end, limit)) {
    bytes += length;
    if (rounds.length > 0 && bytes > longestPart) break;
    if (rounds.push(round) >= limit) break;
  }
  return rounds;
}

/** Most rounds looked up together. */
const linesPerLookup = 50;

interface ReadRound {
  readonly round: JournalRound;
  /** Bytes of its line. */
  readonly length: number;
}

/** A round may be in the file twice; its first place counts. */
async function* roundsBefore(
  path: string,
  reader: JournalReader,
  end: number,
  limit: number,
): AsyncGenerator<ReadRound> {
  const mostLines = Math.min(limit, linesPerLookup);
  const file = await openRegularFile(path).catch(() => undefined);
  if (file === undefined) return;
  try {
    let portion: (ReadRound & { readonly at: number })[] = [];
    let bytes = 0;
    const firsts = async () => {
      const found = portion;
      portion = [];
      bytes = 0;
      const places = await reader.placesOf(found.map(({ round }) => round.id));
      return found.filter(({ round, at }) => places.get(round.id) === at);
    };
    for await (const { line, at } of readLinesBackward(file, end)) {
      const round = parseJournalLine(line.toString());
      if (round !== undefined) portion.push({ round, length: line.length, at });
      bytes += line.length;
      if (portion.length >= mostLines || bytes > longestPart) yield* await firsts();
    }
    yield* await firsts();
  } finally {
    await file.close();
  }
}
