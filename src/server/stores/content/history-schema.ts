import * as v from 'valibot';
import { actions, inconsistencies, type StoredAnnouncement } from '../../../announcements/announcement.ts';
import { type FieldName, fieldNames, fieldOf } from '../../../announcements/fields.ts';
import type { FieldInput, FieldKind } from '../../../announcements/values/field.ts';
import { plainText } from '../../../announcements/values/markdown.ts';
import { isJsonObject } from '../../../announcements/values/object-parts.ts';

export const announcementSchema = v.pipe(
  v.unknown(),
  v.transform(withMessage),
  v.looseObject(Object.fromEntries(fieldNames.map((name) => [name, entrySchema(name)]))),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    // The file may be a copy of the public document: its derived fields are dropped and derived again.
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

/** A file may have `markdown` alone: the message is its plain text. */
function withMessage(entry: unknown): unknown {
  const { message, markdown } = Object(entry) as { message?: unknown; markdown?: unknown };
  const isDerived = message === undefined && typeof markdown === 'string';
  return isDerived ? { message: plainText(markdown), ...Object(entry) } : entry;
}

function entrySchema(name: FieldName): v.GenericSchema<unknown, unknown> {
  const { presence } = fieldOf(name);
  const schema = fieldSchema(name);
  if (presence === 'optional') return v.exactOptional(schema) as unknown as v.GenericSchema<unknown, unknown>;
  return presence === 'empty' ? v.optional(schema, '') : schema;
}

function fieldSchema(name: FieldName): v.GenericSchema<unknown, unknown> {
  const { kind, parse } = fieldOf(name);
  return v.pipe(
    writtenSchema(kind),
    v.rawTransform<FieldInput, unknown>(({ dataset, addIssue, NEVER }) => {
      const result = parse(dataset.value);
      if (!('problem' in result)) return result.value;
      const { problem, at } = result;
      addIssue({ message: at === undefined ? problem : `${name}.${at}: ${problem}` });
      return NEVER;
    }),
  );
}

function writtenSchema(kind: FieldKind): v.GenericSchema<unknown, FieldInput> {
  if (kind === 'nested') return v.custom<object>(isJsonObject, 'expected an object { … } here');
  return kind === 'flag' ? v.boolean() : v.string();
}

function textSchema(name: 'id' | 'published'): v.GenericSchema<unknown, string> {
  return fieldSchema(name) as v.GenericSchema<unknown, string>;
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}

export const changeSchema = v.object({
  at: textSchema('published'),
  by: v.string(),
  action: v.picklist(actions),
  id: textSchema('id'),
  before: v.nullable(announcementSchema),
  after: v.nullable(announcementSchema),
  undoes: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  request: v.exactOptional(v.string()),
});

/** `history.json` without the entries of its list of announcements, which are checked one by one. */
export const historySchema = v.pipe(
  v.looseObject({
    version: v.optional(v.literal(1, 'this version of typebadge reads version 1 only'), 1),
    announcements: v.array(v.unknown()),
    changes: v.optional(
      v.pipe(
        v.array(v.unknown()),
        v.maxLength(0, 'the log of changes belongs in changes.jsonl, a change in each line'),
      ),
    ),
  }),
  v.transform(({ lastUpdated: _, changes: __, announcements: ___, ...file }) => file),
);
