import * as v from 'valibot';
import { toVisible } from '../http/visible-text.ts';
import type { Change, HistoryFile, StoredAnnouncement } from './announcement.ts';
import { parseInstant, toInstantText } from './instant.ts';
import { type FileProblem, readJsonLines, toPathText, toSyntaxProblem } from './json-lines.ts';
import { parseLink } from './link.ts';
import { parseMessage } from './message.ts';

export const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const idRule =
  'an id is 1 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit';

const idSchema = v.pipe(v.string(), v.regex(idPattern, idRule));
const messageSchema = v.pipe(v.string(), toChecked(parseMessage, 'message'));
const linkSchema = v.pipe(v.string(), toChecked(parseLink, 'link'));
const instantSchema = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const instant = parseInstant(dataset.value);
    if (instant !== undefined) return toInstantText(instant);
    addIssue({ message: `"${dataset.value}" is no instant; write it like 2026-12-31T18:00:00Z` });
    return NEVER;
  }),
);

const announcementSchema = v.pipe(
  v.looseObject({
    id: idSchema,
    message: messageSchema,
    link: v.optional(linkSchema, ''),
    published: instantSchema,
    expires: instantSchema,
    alongside: v.exactOptional(v.literal(true)),
    expired: v.exactOptional(instantSchema),
    withdrawn: v.exactOptional(instantSchema),
  }),
  v.forward(
    v.check(({ published, expires }) => published < expires, 'expires must be after published'),
    ['expires'],
  ),
  v.forward(
    v.check(
      ({ published, expired }) => expired === undefined || published <= expired,
      'expired must not be before published',
    ),
    ['expired'],
  ),
  // A copy of the public document is welcome as a start; what it derives is derived again.
  v.transform(({ active: _, ...entry }): StoredAnnouncement => entry),
);

const changeSchema = v.object({
  at: instantSchema,
  by: v.string(),
  action: v.picklist(['publish', 'edit', 'expire', 'withdraw', 'undo']),
  id: idSchema,
  before: v.nullable(announcementSchema),
  after: v.nullable(announcementSchema),
  undoes: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

const historySchema = v.pipe(
  v.looseObject({
    version: v.optional(v.literal(1, 'this version of typebadge reads version 1 only'), 1),
    announcements: v.array(announcementSchema),
    changes: v.optional(v.array(changeSchema), []),
  }),
  v.transform(({ lastUpdated: _, ...file }): HistoryFile => file),
);

/** Reads `history.json`. A file written by hand needs no `version` and no `changes`; unknown fields are kept. */
export function parseHistoryFile(text: string): { history: HistoryFile } | { problems: FileProblem[] } {
  let value: unknown;
  const plain = text.replace(/^\uFEFF/, '');
  try {
    value = JSON.parse(plain);
  } catch {
    return { problems: [toSyntaxProblem(plain)] };
  }
  const result = v.safeParse(historySchema, value);
  if (!result.success) return { problems: toProblems(plain, result.issues) };
  const problems = [...repeatedIds(plain, result.output), ...danglingUndos(plain, result.output.changes)];
  return problems.length > 0 ? { problems } : { history: result.output };
}

/** Writes `history.json`: indented, because people read and edit it. */
export function toHistoryText(history: HistoryFile): string {
  return `${JSON.stringify(history, null, 2)}\n`;
}

function toChecked<K extends 'message' | 'link'>(
  parse: (text: string) => Record<K, string> | { problem: string },
  key: K,
) {
  return v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const result = parse(dataset.value);
    if (!('problem' in result)) return result[key];
    addIssue({ message: result.problem });
    return NEVER;
  });
}

function toProblems(text: string, issues: readonly v.BaseIssue<unknown>[]): FileProblem[] {
  const lines = readJsonLines(text);
  return issues.map((issue) => {
    const steps = (issue.path ?? []).map((item) =>
      typeof item.key === 'number' ? item.key : String(item.key),
    );
    const missing = issue.input === undefined && issue.kind === 'schema';
    const message = missing ? `${JSON.stringify(steps.at(-1))} is missing` : toVisible(plainMessage(issue));
    return { line: lines.lineOf(steps), ...(steps.length > 0 ? { path: toPathText(steps) } : {}), message };
  });
}

function plainMessage(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema' || issue.expected === null || !issue.message.startsWith('Invalid'))
    return issue.message;
  return `expected ${kindNames[issue.expected] ?? issue.expected} here, found ${kindNames[issue.received] ?? issue.received}`;
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'a text',
  Object: 'an object { … }',
  Array: 'a list [ … ]',
};

function repeatedIds(text: string, { announcements }: HistoryFile): FileProblem[] {
  const firsts = new Map<string, number>();
  const repeated = announcements.flatMap(({ id }, at) => {
    const first = firsts.get(id);
    if (first !== undefined) return [{ at, first, id }];
    firsts.set(id, at);
    return [];
  });
  if (repeated.length === 0) return [];
  const lines = readJsonLines(text);
  return repeated.map(({ at, first, id }) => ({
    line: lines.lineOf(['announcements', at, 'id']),
    path: `announcements[${at}].id`,
    message: `the id ${id} is taken by the announcement on line ${lines.lineOf(['announcements', first])}; every id is used once`,
  }));
}

function danglingUndos(text: string, changes: readonly Change[]): FileProblem[] {
  return changes.flatMap(({ action, undoes }, at) => {
    if (action === 'undo' ? undoes !== undefined && undoes <= at : undoes === undefined) return [];
    const steps = ['changes', at, 'undoes'];
    const message = 'an undo, and only an undo, names an earlier change by its number';
    return [{ line: readJsonLines(text).lineOf(steps), path: toPathText(steps), message }];
  });
}
