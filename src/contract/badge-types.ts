// What the badge service answers on the wire: one schema per JSON answer.
import * as v from 'valibot';
import type { PublicName } from '../announcements/fields.ts';
import { severities } from '../announcements/values/severity.ts';

/** UTC, whole seconds, with a Z. */
const instant = v.pipe(v.string(), v.isoTimestamp());

const link = v.pipe(v.string(), v.description('An absolute URL.'));
const linkLabel = v.pipe(v.string(), v.maxLength(40), v.description('Words of the link.'));

/** What readers get beside the documented fields: one schema for each public field of the table. */
const publicEntries = {
  severity: v.exactOptional(v.pipe(v.picklist(severities), v.description('Missing: info.'))),
  dismissible: v.exactOptional(v.pipe(v.boolean(), v.description('Missing: true.'))),
  linkLabel: v.exactOptional(linkLabel),
  translations: v.exactOptional(
    v.pipe(
      v.record(
        v.string(),
        v.object({
          message: v.string(),
          link: v.exactOptional(link),
          linkLabel: v.exactOptional(linkLabel),
          severityLabel: v.exactOptional(
            v.pipe(
              v.string(),
              v.description('The word for the severity, in active.json only, where it is known.'),
            ),
          ),
        }),
      ),
      v.description('By BCP 47 language. A link left out is that of the announcement.'),
    ),
  ),
  audience: v.exactOptional(
    v.pipe(
      v.object({
        sites: v.exactOptional(
          v.pipe(v.array(v.string()), v.description('Origins, or https://*.example.org.')),
        ),
        paths: v.exactOptional(v.pipe(v.array(v.string()), v.description('`*` stands for any characters.'))),
      }),
      v.description('Missing: everyone.'),
    ),
  ),
} satisfies { readonly [N in PublicName]: v.GenericSchema | ReturnType<typeof v.exactOptional> };

export const PublicAnnouncementSchema = v.object({
  id: v.string(),
  message: v.string(),
  link: v.pipe(v.string(), v.description('An absolute URL, or empty.')),
  published: instant,
  expires: v.pipe(instant, v.description('When it really ends.')),
  ...publicEntries,
});

export const ActiveAnnouncementsSchema = v.object({
  announcements: v.pipe(
    v.array(PublicAnnouncementSchema),
    v.maxLength(20),
    v.description('Most important first: critical, then warning, then the rest; among equals the latest.'),
  ),
});

export const ShieldSchema = v.object({
  schemaVersion: v.literal(1),
  label: v.string(),
  message: v.string(),
  color: v.string(),
  cacheSeconds: v.number(),
});

export const PublicHistorySchema = v.object({
  announcements: v.pipe(
    v.array(v.object({ ...PublicAnnouncementSchema.entries, active: v.boolean() })),
    v.description('Newest first; scheduled ones are not in it.'),
  ),
  lastUpdated: instant,
});

export const JsonFeedSchema = v.pipe(
  v.looseObject({
    version: v.string(),
    title: v.string(),
    items: v.array(v.looseObject({ id: v.string() })),
  }),
  v.description('JSON Feed 1.1.'),
);

export const ReadinessSchema = v.object({
  status: v.picklist(['ready', 'unready']),
  version: v.exactOptional(v.string()),
  reasons: v.exactOptional(v.array(v.string())),
});
