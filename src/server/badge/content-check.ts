import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { HistoryFile } from './announcement.ts';
import { historyFileName, originsFileName, readText } from './content-store.ts';
import { parseHistoryFile } from './history-file.ts';
import { undoneBy } from './history-undo.ts';
import { type FileProblem, type PathStep, readJsonLines, toPathText } from './json-lines.ts';
import { comfortableMessage, messageLength } from './message.ts';
import { parseOriginsFile } from './origins-file.ts';
import { currentAnnouncement } from './schedule.ts';

export interface Finding extends FileProblem {
  readonly file: string;
}

/** Problems keep a server from serving the folder; hints are allowed, but perhaps not meant. */
export interface ContentCheck {
  readonly problems: readonly Finding[];
  readonly hints: readonly Finding[];
  readonly announcements: number;
  readonly origins: number;
}

/** Looks through a content folder as it stands at `now` (epoch milliseconds). */
export async function checkContent(dir: string, now: number): Promise<ContentCheck> {
  const historyPath = join(dir, historyFileName);
  const originsPath = join(dir, originsFileName);
  const historyText = await readText(historyPath);
  const originsText = await readText(originsPath);
  const history = checkHistory(historyText, now);
  const origins = checkOrigins(originsText);
  const inFile =
    (file: string) =>
    (finding: FileProblem): Finding => ({ file, ...finding });
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
  const lines = readJsonLines(text.replace(/^\uFEFF/, ''));
  const found = [...wordingHints(history), ...fieldHints(history), ...editedByHand(history)];
  const hints: FileProblem[] = found.map(({ steps, message }) => ({
    line: lines.lineOf(steps),
    path: toPathText(steps),
    message,
  }));
  if (currentAnnouncement(history, now) === undefined) {
    hints.push({ message: 'no announcement is shown now: the badge is its logo alone' });
  }
  return { problems: [], hints, count: history.announcements.length };
}

interface Hint {
  readonly steps: readonly PathStep[];
  readonly message: string;
}

function wordingHints({ announcements }: HistoryFile): Hint[] {
  return announcements.flatMap(({ message, link }, at) => {
    const hints: Hint[] = [];
    const length = messageLength(message);
    if (length > comfortableMessage) {
      hints.push({
        steps: ['announcements', at, 'message'],
        message: `${length} characters; over ${comfortableMessage} few visitors read to the end`,
      });
    }
    if (/^http:/i.test(link)) {
      hints.push({
        steps: ['announcements', at, 'link'],
        message: 'the link is not encrypted; write https: if that site has it',
      });
    }
    return hints;
  });
}

const knownFields = new Set([
  'id',
  'message',
  'link',
  'published',
  'expires',
  'alongside',
  'expired',
  'withdrawn',
]);

function fieldHints({ announcements }: HistoryFile): Hint[] {
  return announcements.flatMap((entry, at) =>
    Object.keys(entry)
      .filter((field) => !knownFields.has(field))
      .map((field) => ({
        steps: ['announcements', at, field],
        message: `"${field}" means nothing here; it is kept, but has no effect`,
      })),
  );
}

/** What was changed in the file itself is fine, but `undo` will not touch it. */
function editedByHand({ announcements, changes }: HistoryFile): Hint[] {
  const undone = undoneBy(changes);
  const last = new Map(
    changes.flatMap((change, at) =>
      undone[at] === undefined ? [[change.id, { change, number: at + 1 }] as const] : [],
    ),
  );
  return announcements.flatMap((entry, at) => {
    const latest = last.get(entry.id);
    if (latest === undefined || isDeepStrictEqual(entry, latest.change.after)) return [];
    const message = `${entry.id} was edited by hand since change ${latest.number}; that change can no longer be undone`;
    return [{ steps: ['announcements', at], message }];
  });
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
  const hints = entries.flatMap((entry, at) => {
    const first = entries.indexOf(entry);
    if (first === at) return [];
    const message = `${entry} is already on line ${lines.lineOf(['origins', first])}`;
    return [{ line: lines.lineOf(['origins', at]), path: toPathText(['origins', at]), message }];
  });
  return { problems: [], hints, count: new Set(entries).size };
}
