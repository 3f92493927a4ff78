import { currentAnnouncement } from '../../../announcements/schedule.ts';
import type { Content } from '../ports.ts';
import { parseHistoryFile } from './history/history-file.ts';
import { findHints } from './history/history-hints.ts';
import { type FileProblem, readJsonLines, toPathText } from './json/json-lines.ts';
import { parseOriginsFile } from './origins-file.ts';

export interface ContentFinding extends FileProblem {
  readonly file: string;
}

/** Problems prevent a server from serving this content; hints point to things that are allowed but perhaps not intended. */
export interface ContentCheck {
  readonly problems: readonly ContentFinding[];
  readonly hints: readonly ContentFinding[];
  readonly announcements: number;
  readonly origins: number;
}

/** Checks announcements and allow-list as of `now` (epoch milliseconds). */
export async function checkContent(content: Content, now: number): Promise<ContentCheck> {
  const historyPath = content.nameOf('history.json');
  const originsPath = content.nameOf('origins.json');
  const historyText = (await content.read('history.json'))?.text;
  const originsText = (await content.read('origins.json'))?.text;
  const history = checkHistory(historyText, now);
  const origins = checkOrigins(originsText);
  const inFile =
    (file: string) =>
    (finding: FileProblem): ContentFinding => ({ file, ...finding });
  return {
    problems: [...history.problems.map(inFile(historyPath)), ...origins.problems.map(inFile(originsPath))],
    hints: [...history.hints.map(inFile(historyPath)), ...origins.hints.map(inFile(originsPath))],
    announcements: history.count,
    origins: origins.count,
  };
}

interface FileCheck {
  readonly problems: readonly FileProblem[];
  readonly hints: readonly FileProblem[];
  readonly count: number;
}

function checkHistory(text: string | undefined, now: number): FileCheck {
  if (text === undefined) {
    const message = 'the file is missing; the first typebadge announce publish makes it';
    return { problems: [{ message }], hints: [], count: 0 };
  }
  const result = parseHistoryFile(text);
  if ('problems' in result) return { problems: result.problems, hints: [], count: 0 };
  const { history } = result;
  const plain = text.replace(/^\uFEFF/, '');
  const lines = readJsonLines(plain);
  const hints: FileProblem[] = findHints(history, plain, now).map(({ steps, message }) => ({
    line: lines.lineOf(steps),
    path: toPathText(steps),
    message,
  }));
  if (currentAnnouncement(history, now) === undefined) {
    hints.push({ message: 'no announcement is shown now: the badge shows only its logo' });
  }
  return { problems: [], hints, count: history.announcements.length };
}

function checkOrigins(text: string | undefined): FileCheck {
  if (text === undefined) {
    const message =
      'the file is missing; only pages on this computer may use the badge (typebadge origins add makes it)';
    return { problems: [], hints: [{ message }], count: 0 };
  }
  const result = parseOriginsFile(text);
  if ('problems' in result) return { problems: result.problems, hints: [], count: 0 };
  const lines = readJsonLines(text.replace(/^\uFEFF/, ''));
  const entries = result.patterns.map(({ entry }) => entry);
  const firsts = new Map<string, number>();
  const hints = entries.flatMap((entry, at) => {
    const first = firsts.get(entry);
    if (first === undefined) {
      firsts.set(entry, at);
      return [];
    }
    const message = `${entry} is already on line ${lines.lineOf(['origins', first])}`;
    return [{ line: lines.lineOf(['origins', at]), path: toPathText(['origins', at]), message }];
  });
  return { problems: [], hints, count: firsts.size };
}
