import * as v from 'valibot';
import type { Change, HistoryFile, StoredAnnouncement } from '../../../announcements/announcement.ts';
import { type FieldName, fieldNames, fieldOf } from '../../../announcements/fields.ts';
import { inconsistencies } from '../../../announcements/inconsistency.ts';
import type { FieldInput, FieldKind } from '../../../announcements/values/field.ts';
import { isJsonObject } from '../../../announcements/values/object-parts.ts';
import { inSlices, type Steps } from '../../../kit/slices.ts';
import { toVisible } from '../../../kit/visible-text.ts';
import { parseContentJson } from './content-json.ts';
import { type FileProblem, readJsonLines, toPathText } from './json-lines.ts';
import { splitLists } from './json-lists.ts';
import { KnownEntries } from './known-entries.ts';

const announcementSchema = v.pipe(
  v.looseObject(Object.fromEntries(fieldNames.map((name) => [name, toEntrySchema(name)]))),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    // A copy of the public document may be a start; its derived fields are dropped and derived again.
    const { active: _, ...entry } = withoutUndefined(dataset.value) as StoredAnnouncement & {
      active?: unknown;
    };
    const [first] = inconsistencies(entry);
    if (first === undefined) return entry;
    const item = { type: 'object', origin: 'value', input: dataset.value, key: first.field } as const;
    addIssue({ message: first.problem, path: [{ ...item, value: dataset.value[first.field] }] });
    return NEVER;
  }),
);

function toEntrySchema(name: FieldName): v.GenericSchema<unknown, unknown> {
  const { presence } = fieldOf(name);
  const schema = toFieldSchema(name);
  if (presence === 'optional') return v.exactOptional(schema) as unknown as v.GenericSchema<unknown, unknown>;
  return presence === 'empty' ? v.optional(schema, '') : schema;
}

function toFieldSchema(name: FieldName): v.GenericSchema<unknown, unknown> {
  const { kind, parse } = fieldOf(name);
  return v.pipe(
    toWrittenSchema(kind),
    v.rawTransform<FieldInput, unknown>(({ dataset, addIssue, NEVER }) => {
      const result = parse(dataset.value);
      if (!('problem' in result)) return result.value;
      addIssue({ message: result.problem });
      return NEVER;
    }),
  );
}

function toWrittenSchema(kind: FieldKind): v.GenericSchema<unknown, FieldInput> {
  if (kind === 'nested') return v.custom<object>(isJsonObject, 'expected an object { … } here');
  return kind === 'flag' ? v.boolean() : v.string();
}

function toTextSchema(name: 'id' | 'published'): v.GenericSchema<unknown, string> {
  return toFieldSchema(name) as v.GenericSchema<unknown, string>;
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}

const changeSchema = v.object({
  at: toTextSchema('published'),
  by: v.string(),
  action: v.picklist(['publish', 'edit', 'expire', 'withdraw', 'undo']),
  id: toTextSchema('id'),
  before: v.nullable(announcementSchema),
  after: v.nullable(announcementSchema),
  undoes: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  request: v.exactOptional(v.string()),
});

const historySchema = v.pipe(
  v.looseObject({
    version: v.optional(v.literal(1, 'this version of typebadge reads version 1 only'), 1),
    announcements: v.array(announcementSchema),
    changes: v.optional(v.array(changeSchema), []),
  }),
  v.transform(({ lastUpdated: _, ...file }): HistoryFile => file),
);

/** The contents of a `history.json`, or what is wrong with it. */
export type HistoryReading = { history: HistoryFile } | { problems: FileProblem[] };

/** Parses `history.json`. A file written by hand needs no `version` and no `changes`; unknown fields are kept. */
export function parseHistoryFile(text: string): HistoryReading {
  const json = parseContentJson(text);
  if ('problems' in json) return json;
  const read = v.safeParse(historySchema, json.value);
  return read.success
    ? toReading(json.plain, read.output)
    : { problems: toProblems(json.plain, read.issues) };
}

/**
 * Parses the same file repeatedly, in slices, and skips entries that have not changed. If something is wrong, it parses the
 * whole file at once, because only that can tell where the problem is.
 */
export function createHistoryReader(): (text: string) => Promise<HistoryReading> {
  const known: KnownHistory = {
    announcements: new KnownEntries(toEntryReader(announcementSchema)),
    changes: new KnownEntries(toEntryReader(changeSchema)),
  };
  return async (text) => {
    const plain = text.replace(/^\uFEFF/, '');
    const history = await inSlices(readSteps(plain, known));
    return history === undefined ? parseHistoryFile(text) : toReading(plain, history);
  };
}

interface KnownHistory {
  readonly announcements: KnownEntries<StoredAnnouncement>;
  readonly changes: KnownEntries<Change>;
}

function toEntryReader<T>(schema: v.GenericSchema<unknown, T>): (text: string) => T | undefined {
  return (text) => {
    const result = v.safeParse(schema, parseJson(text));
    return result.success ? result.output : undefined;
  };
}

/** Undefined if only parsing the whole file can decide. */
function* readSteps(plain: string, known: KnownHistory): Steps<HistoryFile | undefined> {
  const split = yield* splitLists(plain, ['announcements', 'changes']);
  if (split === undefined) return undefined;
  const outer = v.safeParse(historySchema, parseJson(split.rest));
  if (!outer.success) return undefined;
  const announcements = yield* known.announcements.read(split.lists.get('announcements') ?? []);
  const changes = yield* known.changes.read(split.lists.get('changes') ?? []);
  return announcements && changes && { ...outer.output, announcements, changes };
}

/** Undefined, which no schema of ours accepts, if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toReading(plain: string, history: HistoryFile): HistoryReading {
  const problems = [...repeatedIds(plain, history), ...danglingUndos(plain, history.changes)];
  return problems.length > 0 ? { problems } : { history };
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
  boolean: 'true or false',
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
