import * as v from 'valibot';
import type { Change, HistoryFile, StoredAnnouncement } from '../../../../announcements/announcement.ts';
import { inSlices, type Steps } from '../../../../kit/slices.ts';
import { tooDeepSteps } from '../json/json-depth.ts';
import { type FileProblem, type JsonLines, type PathStep, toSyntaxProblem } from '../json/json-lines.ts';
import { type JsonList, splitLists } from '../json/json-lists.ts';
import { shortenJson, splitLineSteps } from '../json/shortened-json.ts';
import {
  findContradictions,
  type HistoryReading,
  type Mistake,
  parseHistoryFile,
  stepsOf,
  toMistake,
  toProblem,
} from './history-file.ts';
import { announcementSchema, changeSchema, historySchema } from './history-schema.ts';
import { KnownEntries, SharedVersions } from './known-entries.ts';

/** The long lists of the file, in the order in which `historySchema` checks its fields. */
const entrySchemas = { announcements: announcementSchema, changes: changeSchema } as const;
const fieldOrder: readonly (PathStep | undefined)[] = [undefined, 'version', ...Object.keys(entrySchemas)];

export type HistoryReader = (text: string) => Promise<HistoryReading>;

/**
 * Parses the same file repeatedly, in slices, and skips entries that have not changed. The result is always that of
 * `parseHistoryFile`, for a broken file too, which may be as long as any other.
 */
export function createHistoryReader(): HistoryReader {
  const versions = new SharedVersions();
  const known: KnownHistory = {
    announcements: new KnownEntries(toEntryReader(announcementSchema, (entry) => versions.present(entry))),
    changes: new KnownEntries(toEntryReader(changeSchema, (change) => versions.logged(change))),
    versions,
  };
  return (text) => inSlices(readSteps(text, known));
}

interface KnownHistory {
  readonly announcements: KnownEntries<StoredAnnouncement>;
  readonly changes: KnownEntries<Change>;
  readonly versions: SharedVersions;
}

interface SplitHistory {
  /** Without a byte order mark. */
  readonly plain: string;
  readonly lists: ReadonlyMap<string, JsonList>;
  readonly rest: string;
}

function toEntryReader<T>(
  schema: v.GenericSchema<unknown, T>,
  share: (entry: T) => T,
): (text: string) => T | undefined {
  return (text) => {
    const result = v.safeParse(schema, parseJson(text));
    return result.success ? share(result.output) : undefined;
  };
}

function* readSteps(text: string, known: KnownHistory): Steps<HistoryReading> {
  const plain = text.replace(/^\uFEFF/, '');
  const { lists, rest } = yield* splitLists(plain, Object.keys(entrySchemas));
  const split = rest === undefined ? undefined : { plain, lists, rest };
  const history = split && (yield* readEntries(split, known));
  if (split && history) {
    const mistakes = findContradictions(history);
    return mistakes.length === 0 ? { history } : { problems: yield* problemSteps(mistakes, split) };
  }
  const tooDeep = yield* tooDeepSteps(plain);
  if (tooDeep !== undefined) return { problems: [tooDeep] };
  const short = yield* shortenJson(plain, lists);
  if (parseJson(short) === undefined) return { problems: [toSyntaxProblem(short)] };
  const problems = split && (yield* problemSteps(yield* mistakeSteps(split), split));
  // A name in an unusual spelling, or a list that is there twice: rare enough to be read in one piece.
  return problems?.[0] === undefined ? parseHistoryFile(text) : { problems };
}

/** Undefined if something is wrong. */
function* readEntries({ lists, rest }: SplitHistory, known: KnownHistory): Steps<HistoryFile | undefined> {
  const outer = v.safeParse(historySchema, parseJson(rest));
  if (!outer.success) return undefined;
  const announcements = yield* known.announcements.read(lists.get('announcements')?.elements ?? []);
  const changes = yield* known.changes.read(lists.get('changes')?.elements ?? []);
  if (announcements === undefined || changes === undefined) return undefined;
  known.versions.prune(announcements);
  return { ...outer.output, announcements, changes };
}

/** Undefined, which no schema of ours accepts, if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the schema of the whole file would find, in the same order. */
function* mistakeSteps({ lists, rest }: SplitHistory): Steps<Mistake[]> {
  const outer = v.safeParse(historySchema, parseJson(rest)).issues ?? [];
  const mistakes = outer.map((issue) => toMistake(issue, stepsOf(issue)));
  for (const [name, schema] of Object.entries(entrySchemas)) {
    for (const [index, element] of (lists.get(name)?.elements ?? []).entries()) {
      const issues = v.safeParse(schema, parseJson(element)).issues ?? [];
      for (const issue of issues) mistakes.push(toMistake(issue, [name, index, ...stepsOf(issue)]));
      yield;
    }
  }
  const rank = ({ steps: [field] }: Mistake) => fieldOrder.indexOf(field);
  return mistakes.toSorted((one, other) => rank(one) - rank(other));
}

function* problemSteps(mistakes: readonly Mistake[], { plain, lists }: SplitHistory): Steps<FileProblem[]> {
  const lines: JsonLines = yield* splitLineSteps(plain, lists);
  const problems: FileProblem[] = [];
  for (const mistake of mistakes) {
    problems.push(toProblem(mistake, lines));
    yield;
  }
  return problems;
}
