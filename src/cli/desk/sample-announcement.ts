import { readFile } from 'node:fs/promises';
import type { HistoryFile } from '../../announcements/announcement.ts';
import { packageFile } from '../../kit/package-files.ts';

/** Id of the announcement that a new content folder is filled with, while it is the only one; undefined if there are others. */
export async function findLoneSample({ announcements }: HistoryFile): Promise<string | undefined> {
  const [only, ...others] = announcements;
  if (only === undefined || only.withdrawn !== undefined || others.length > 0) return undefined;
  const text = await readFile(packageFile('content', 'sample', 'history.json'), 'utf8');
  const sample: HistoryFile = JSON.parse(text);
  return sample.announcements.some(({ message }) => message === only.message) ? only.id : undefined;
}
