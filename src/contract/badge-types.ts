// What the badge service answers on the wire: one schema per JSON answer.
import * as v from 'valibot';
import {
  fieldOf,
  idPattern,
  type PublicFields,
  type PublicName,
  publicNames,
} from '../announcements/fields.ts';
import { marks } from '../announcements/values/markdown.ts';
import { described, optional, timestamp } from './values.ts';

export const AnnouncementIdSchema = v.pipe(v.string(), v.regex(idPattern, 'must be an id'));

const text = (meaning: string) => optional(v.string(), meaning);

const derivedEntries = {
  parts: optional(
    v.array(
      v.object({
        text: v.string(),
        mark: v.exactOptional(v.picklist(marks)),
        link: text('An absolute URL.'),
      }),
    ),
    'The formatted message in pieces, in `active.json` only.',
  ),
  severityLabel: text('The word for the severity, in `active.json` only, where it is known.'),
};

const translationEntries = {
  message: v.string(),
  markdown: text('Its source, if it is formatted.'),
  link: text('An absolute URL. Default: the link of the announcement.'),
  linkLabel: text('Words of the link, 1 to 40 characters.'),
  ...derivedEntries,
};

const nestedEntries: Readonly<Record<string, v.GenericSchema>> = {
  translations: v.record(v.string(), v.object(translationEntries)),
  audience: v.object({
    sites: v.exactOptional(v.array(v.string())),
    paths: v.exactOptional(v.array(v.string())),
  }),
};

const publicEntries = Object.fromEntries(
  publicNames.map((name) => [name, v.exactOptional(publicSchema(name))]),
) as {
  readonly [N in PublicName]: v.ExactOptionalSchema<v.GenericSchema<Required<PublicFields>[N]>, undefined>;
};

function publicSchema(name: PublicName): v.GenericSchema {
  const { kind, choices, meaning = '' } = fieldOf(name);
  const plain = choices === undefined ? v.string() : v.picklist(choices);
  const schema = nestedEntries[name] ?? (kind === 'flag' ? v.boolean() : plain);
  return described(schema, meaning);
}

export const PublicAnnouncementSchema = v.object({
  id: AnnouncementIdSchema,
  message: v.string(),
  link: described(v.string(), 'An absolute URL, or empty.'),
  published: timestamp,
  expires: described(timestamp, 'When it really ends.'),
  ...publicEntries,
});

export const ActiveAnnouncementsSchema = v.object({
  announcements: described(
    v.pipe(v.array(v.object({ ...PublicAnnouncementSchema.entries, ...derivedEntries })), v.maxLength(20)),
    'Most important first: critical, then warning, then the rest; among equals the latest.',
  ),
});

export const PublicHistorySchema = v.object({
  announcements: described(
    v.array(v.object({ ...PublicAnnouncementSchema.entries, active: v.boolean() })),
    'Newest first; scheduled ones are not in it.',
  ),
  lastUpdated: timestamp,
});

export const ReadinessSchema = v.object({
  status: v.picklist(['ready', 'unready']),
  version: v.exactOptional(v.string()),
  reasons: v.exactOptional(v.array(v.string())),
});
