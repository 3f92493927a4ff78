import * as v from 'valibot';
import type { HistoryFile } from '../../../../announcements/announcement.ts';
import { toVisible } from '../../../../kit/visible-text.ts';
import { parseContentJson } from '../json/content-json.ts';
import {
  type FileProblem,
  type JsonLines,
  type PathStep,
  readJsonLines,
  toPathText,
} from '../json/json-lines.ts';
import { historySchema } from './history-schema.ts';

/** The contents of a `history.json`, or what is wrong with it. */
export type HistoryReading = { history: HistoryFile } | { problems: FileProblem[] };

/** Something wrong in the values of a file, before its line is known. */
export interface Mistake {
  /** Path to the value. */
  readonly steps: readonly PathStep[];
  readonly message: (lines: JsonLines) => string;
}

/** Parses `history.json`. A file written by hand needs no `version` and no `changes`; unknown fields are kept. */
export function parseHistoryFile(text: string): HistoryReading {
  const json = parseContentJson(text);
  if ('problems' in json) return json;
  const read = v.safeParse(historySchema, json.value);
  const mistakes = read.success
    ? findContradictions(read.output)
    : read.issues.map((issue) => toMistake(issue, stepsOf(issue)));
  if (read.success && mistakes.length === 0) return { history: read.output };
  const lines = readJsonLines(json.plain);
  return { problems: mistakes.map((mistake) => toProblem(mistake, lines)) };
}

export function toProblem({ steps, message }: Mistake, lines: JsonLines): FileProblem {
  const path = steps.length > 0 ? { path: toPathText(steps) } : {};
  return { line: lines.lineOf(steps), ...path, message: message(lines) };
}

export function stepsOf(issue: v.BaseIssue<unknown>): PathStep[] {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
}

/** @param steps path to the value in the whole file */
export function toMistake(issue: v.BaseIssue<unknown>, steps: readonly PathStep[]): Mistake {
  const missing = issue.input === undefined && issue.kind === 'schema';
  const message = missing ? `${JSON.stringify(steps.at(-1))} is missing` : toVisible(plainMessage(issue));
  return { steps, message: () => message };
}

function plainMessage(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema' || issue.expected === null || !issue.message.startsWith('Invalid'))
    return issue.message;
  return `expected ${kindNames[issue.expected] ?? issue.expected} here, found ${kindNames[issue.received] ?? issue.received}`;
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  Object: 'an object { … }',
  Array: 'a list [ … ]',
};

/** What is wrong although each entry is right: ids used twice, and an undo of nothing. */
export function findContradictions(history: HistoryFile): Mistake[] {
  return [...repeatedIds(history), ...danglingUndos(history)];
}

function repeatedIds({ announcements }: HistoryFile): Mistake[] {
  const firsts = new Map<string, number>();
  return announcements.flatMap(({ id }, at) => {
    const first = firsts.get(id);
    if (first === undefined) {
      firsts.set(id, at);
      return [];
    }
    const message = (lines: JsonLines) =>
      `the id ${id} is taken by the announcement on line ${lines.lineOf(['announcements', first])}; every id is used once`;
    return [{ steps: ['announcements', at, 'id'], message }];
  });
}

function danglingUndos({ changes }: HistoryFile): Mistake[] {
  return changes.flatMap(({ action, undoes }, at) => {
    if (action === 'undo' ? undoes !== undefined && undoes <= at : undoes === undefined) return [];
    const message = () => 'an undo, and only an undo, names an earlier change by its number';
    return [{ steps: ['changes', at, 'undoes'], message }];
  });
}
