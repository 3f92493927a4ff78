import { currentAnnouncement } from '../../../announcements/schedule.ts';
import type { Content, ContentText } from './content.ts';
import { parseHistory } from './history-file.ts';
import { findHints } from './history-hints.ts';
import { type FileProblem, pathText, readJsonLines } from './json-file.ts';
import { parseOriginsFile } from './origins-file.ts';

export interface ContentFinding extends FileProblem {
  readonly file: string;
}

/**
 * Problems prevent a server from serving this content; hints point to things that are allowed but perhaps not
 * intended.
 */
export interface ContentCheck {
  readonly problems: readonly ContentFinding[];
  readonly hints: readonly ContentFinding[];
  readonly announcements: number;
  readonly origins: number;
}

/** Checks announcements and allow-list as of `now` (epoch milliseconds). */
export async function checkContent(content: Content, now: number): Promise<ContentCheck> {
  const history = checkHistory(await content.read('history.json'), now);
  const origins = checkOrigins((await content.read('origins.json'))?.text);
  const checks = [history, origins];
  const found = (kind: 'problems' | 'hints') =>
    checks.flatMap((check) => check[kind].map((each) => ({ file: content.nameOf(check.file), ...each })));
  return {
    problems: found('problems'),
    hints: found('hints'),
    announcements: history.count,
    origins: origins.count,
  };
}

interface FileCheck {
  readonly file: Parameters<Content['nameOf']>[0];
  readonly problems: readonly FileProblem[];
  readonly hints: readonly FileProblem[];
  readonly count: number;
}

function checkHistory(found: ContentText | undefined, now: number): FileCheck {
  const file = 'history.json';
  if (found === undefined) {
    const message = 'the file is missing; the first typebadge announce publish makes it';
    return { file, problems: [{ message }], hints: [], count: 0 };
  }
  const result = parseHistory(found.text, found.log);
  if ('problems' in result) return { file: result.file, problems: result.problems, hints: [], count: 0 };
  const { history } = result;
  const plain = found.text.replace(/^\uFEFF/, '');
  const lines = readJsonLines(plain);
  const hints: FileProblem[] = findHints(history, plain, now).map(({ steps, message }) => ({
    line: lines.lineOf(steps),
    path: pathText(steps),
    message,
  }));
  if (currentAnnouncement(history, now) === undefined) {
    hints.push({ message: 'no announcement is shown now: the badge shows only its logo' });
  }
  return { file, problems: [], hints, count: history.announcements.length };
}

function checkOrigins(text: string | undefined): FileCheck {
  const file = 'origins.json';
  if (text === undefined) {
    const message =
      'the file is missing; only pages on this computer may use the badge (typebadge origins add makes it)';
    return { file, problems: [], hints: [{ message }], count: 0 };
  }
  const result = parseOriginsFile(text);
  if ('problems' in result) return { file, problems: result.problems, hints: [], count: 0 };
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
    return [{ line: lines.lineOf(['origins', at]), path: pathText(['origins', at]), message }];
  });
  return { file, problems: [], hints, count: firsts.size };
}
