import * as v from 'valibot';
import type { Change, HistoryFile, StoredAnnouncement } from '../../../announcements/announcement.ts';
import { announcementSchema, changeSchema, historySchema } from './history-schema.ts';
import {
  type FileProblem,
  located,
  type Mistake,
  mistakeOf,
  type PathStep,
  parseJsonFile,
  problemAt,
} from './json-file.ts';

/*
 * The announcements and the log of their changes are two files: `history.json`, which people read and edit,
 * and `changes.jsonl` beside it, a change in each line. Both together are one `HistoryFile`.
 */

/** What the two files hold, or what is wrong with one of them. */
export type HistoryReading =
  | { readonly history: HistoryFile }
  | { readonly file: 'history.json' | 'changes.jsonl'; readonly problems: readonly FileProblem[] };

/** Entries that were checked last time are not checked again, which is slow. */
const [checkEntries, checkChanges] = [createCheck(announcementSchema), createCheck(changeSchema)];

/** A `history.json` written by hand needs no `version`, and no log; unknown fields are kept. */
export function parseHistory(text: string, log = ''): HistoryReading {
  const json = parseJsonFile(text);
  if ('problems' in json) return { file: 'history.json', problems: json.problems };
  const outer = v.safeParse(historySchema, json.value);
  const { announcements: listed } = Object(json.value) as { announcements?: unknown };
  const entries = Array.isArray(listed) ? checkEntries(listed.map((entry) => JSON.stringify(entry))) : [];
  const announcements = entries.flatMap((entry) => ('value' in entry ? [entry.value] : []));
  const mistakes = [
    ...(outer.issues ?? []).map((issue) => mistakeOf(issue)),
    ...entries.flatMap((entry, at) => mistakesIn(entry, ['announcements', at])),
  ];
  const problems = located(mistakes.length > 0 ? mistakes : repeatedIds(announcements), json.plain);
  if (problems.length > 0 || !outer.success) return { file: 'history.json', problems };
  const { changes, wrong } = readLog(log);
  const [first, ...rest] = wrong;
  if (first !== undefined) {
    const message = `${first.message}${damagedLogHint}`;
    return { file: 'changes.jsonl', problems: [{ ...first, message }, ...rest] };
  }
  return { history: { ...outer.output, announcements, changes } };
}

/** The text of `history.json`: indented, because people read and edit it. */
export function historyText({ changes: _, ...rest }: HistoryFile): string {
  return `${JSON.stringify(rest, null, 2)}\n`;
}

/** The text of `changes.jsonl` for these changes. */
export function logText(changes: readonly Change[]): string {
  return changes.map((change) => `${JSON.stringify(change)}\n`).join('');
}

/** Maximum size in bytes of both files together. */
export const maxHistory = 2 * 1024 * 1024;

/** Whether both files together are larger than they may be. */
export function isOversize(text: string, log: string | Buffer): boolean {
  return Buffer.byteLength(text) + Buffer.byteLength(log) > maxHistory;
}

const howToDropLog =
  'move changes.jsonl elsewhere: the announcements stay, only the log and undo begin again';
const howToShorten = `To shorten the log, ${howToDropLog}`;

/** Added to what is wrong with a log: without it, the announcements could be served. */
export const damagedLogHint = `; restore it from a backup, or ${howToDropLog}`;

/** Why a change is refused, and what to do, as a sentence without a full stop. */
export const oversizeProblem = `history.json and changes.jsonl would be larger than 2 MiB together, the maximum. ${howToShorten}. If that is not enough, remove old announcements from history.json too`;

/** Room that is left when editors begin to be warned: for a hundred changes of long announcements. */
const warnedRoom = 512 * 1024;

/** A sentence for editors in good time before their changes would be refused; otherwise none. */
export function roomWarnings({ announcements, changes }: HistoryFile): string[] {
  const size = Buffer.byteLength(JSON.stringify(announcements)) + Buffer.byteLength(logText(changes));
  if (size < maxHistory - warnedRoom) return [];
  const percent = Math.floor((size / maxHistory) * 100);
  return [
    `history.json and changes.jsonl take ${percent} % of the 2 MiB that they may have. ${howToShorten}.`,
  ];
}

type Checked<T> = { readonly value: T } | { readonly mistakes: readonly Mistake[] };

/**
 * Checks values by their JSON, and caches the results of the last call only: a line is a slice of the whole
 * log, so a longer cache would keep every version of the log in memory.
 */
function createCheck<T>(
  schema: v.GenericSchema<unknown, T>,
): (texts: readonly string[]) => readonly Checked<T>[] {
  let known = new Map<string, Checked<T>>();
  const check = (text: string): Checked<T> => {
    const json = parseJsonFile(text);
    if ('problems' in json) return { mistakes: json.problems.map(({ message }) => ({ steps: [], message })) };
    const result = v.safeParse(schema, json.value);
    return result.success ? { value: result.output } : { mistakes: result.issues.map(mistakeOf) };
  };
  return (texts) => {
    const results = texts.map((text) => [text, known.get(text) ?? check(text)] as const);
    known = new Map(results);
    return results.map(([, checked]) => checked);
  };
}

function mistakesIn(checked: Checked<unknown>, above: readonly PathStep[]): Mistake[] {
  if ('value' in checked) return [];
  return checked.mistakes.map(({ steps, message }) => ({ steps: [...above, ...steps], message }));
}

function repeatedIds(announcements: readonly StoredAnnouncement[]): Mistake[] {
  const known = new Set<string>();
  return announcements.flatMap(({ id }, at) => {
    const message = `the id ${id} is taken by an earlier announcement; every id is used once`;
    if (known.has(id)) return [{ steps: ['announcements', at, 'id'], message }];
    known.add(id);
    return [];
  });
}

function readLog(log: string): { changes: readonly Change[]; wrong: readonly FileProblem[] } {
  const changes: Change[] = [];
  const wrong: FileProblem[] = [];
  const lines = log.split('\n').flatMap((text, at) => (text.trim() === '' ? [] : [{ text, number: at + 1 }]));
  const results = checkChanges(lines.map(({ text }) => text));
  for (const [at, checked] of results.entries()) {
    if ('value' in checked && !isDangling(checked.value, at + 1)) {
      changes.push(checked.value);
      continue;
    }
    const message = 'an undo, and only an undo, names an earlier change by its number';
    const mistakes = 'value' in checked ? [{ steps: ['undoes'], message }] : checked.mistakes;
    const { number } = lines[at] as (typeof lines)[number];
    wrong.push(...mistakes.map((mistake) => problemAt(number, mistake)));
  }
  return { changes, wrong };
}

/** @param number of this change, from 1 on */
function isDangling({ action, undoes }: Change, number: number): boolean {
  return action === 'undo' ? undoes === undefined || undoes >= number : undoes !== undefined;
}
