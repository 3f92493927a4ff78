import type { Change, HistoryFile, StoredAnnouncement } from '../announcement.ts';
import type { FieldValue } from '../fields.ts';
import type { PlainName } from '../plain-values.ts';
import { endOf } from '../schedule.ts';
import { instantText } from '../times/instant.ts';
import { isSameValue } from '../values/object-parts.ts';

/** Who makes a change, and when (epoch milliseconds). */
export interface Stamp {
  readonly by: string;
  readonly at: number;
  /** See `Change`. */
  readonly request?: string;
}

/** A change (`number` counts from 1; undefined if nothing had to change), or why it cannot be made. */
export type EditOutcome = EditResult | { readonly problem: string };

export interface EditResult {
  readonly history: HistoryFile;
  readonly entry: StoredAnnouncement;
  readonly number: number | undefined;
  readonly warnings: readonly string[];
}

/** Checked values of plain fields: undefined removes one; a field that is not there stays as it is. */
export interface AnnouncementEdit extends Partial<Record<PlainName, FieldValue | undefined>> {
  readonly warnings?: readonly string[];
  /** Instants, epoch milliseconds. Undefined: it stays. */
  readonly published?: number | undefined;
  readonly expires?: number | undefined;
}

/** Without an id, it gets the next free one. */
export type NewAnnouncement = AnnouncementEdit &
  Readonly<{ published: number; expires: number; id?: string | undefined }>;

export function publish(history: HistoryFile, draft: NewAnnouncement, stamp: Stamp): EditOutcome {
  const { warnings = [], ...values } = draft;
  const clock = instantText(stamp.at);
  const published = instantText(draft.published);
  const expires = instantText(draft.expires);
  const problem = startProblem(published, clock) ?? expiryProblem(published, expires, clock);
  if (problem !== undefined) return { problem };
  const id = draft.id ?? nextId(history, published);
  if (usedIds(history).has(id)) return { problem: `the id ${id} is taken; every id is used once` };
  const after = stored({ message: '', link: '', ...values, id, published, expires });
  const all = [...warnings, ...labelWarnings(after)];
  return make(history, { action: 'publish', before: null, after }, stamp, all);
}

export function edit(history: HistoryFile, id: string, changes: AnnouncementEdit, stamp: Stamp): EditOutcome {
  const before = findEditable(history, id);
  if ('problem' in before) return before;
  const { warnings = [], published: start, expires: end, ...values } = changes;
  const clock = instantText(stamp.at);
  const published = start === undefined ? before.published : instantText(start);
  const expires = end === undefined ? before.expires : instantText(end);
  const isMoved = published !== before.published;
  const problem =
    (isMoved ? moveProblem(before, published, clock) : undefined) ??
    (isMoved || expires !== before.expires ? expiryProblem(published, expires, clock) : undefined);
  if (problem !== undefined) return { problem };
  // A new expiry is the editor's last word: it also cancels an earlier "end it at …".
  const expired = end === undefined ? before.expired : undefined;
  if (expired !== undefined && expired < published)
    return { problem: `it was to end at ${expired}, before its new start; give a new expiry too` };
  const after = stored({ ...before, ...values, published, expires, expired });
  const isAboutLabel = ['link', 'linkLabel', 'translations'].some(
    (name) => !isSameValue(before[name as PlainName], after[name as PlainName]),
  );
  const all = [...warnings, ...(isAboutLabel ? labelWarnings(after) : [])];
  return make(history, { action: 'edit', before, after }, stamp, all);
}

/** Without the fields that are undefined. */
function stored(fields: Readonly<Record<string, unknown>>): StoredAnnouncement {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as unknown as StoredAnnouncement;
}

/** Readers of a translation without a link label see the untranslated one. */
function labelWarnings({ link, linkLabel, translations = {} }: StoredAnnouncement): string[] {
  if (linkLabel === undefined) return [];
  const untranslated = Object.entries(translations)
    .filter(([, words]) => words.linkLabel === undefined && (words.link ?? link) !== '')
    .map(([tag]) => `the link label is not translated for ${tag}: its readers see “${linkLabel}”`);
  return link === '' ? ['there is no link, so its label is not shown', ...untranslated] : untranslated;
}

export function expire(history: HistoryFile, id: string, at: number | undefined, stamp: Stamp): EditOutcome {
  const before = findEditable(history, id);
  if ('problem' in before) return before;
  const clock = instantText(stamp.at);
  const end = instantText(at ?? stamp.at);
  if (endOf(before) <= clock) return { problem: `announcement ${id} has already ended, at ${endOf(before)}` };
  if (end < clock) return { problem: `${end} is in the past; leave the time out to end ${id} now` };
  if (end < before.published) {
    return {
      problem: `announcement ${id} has not begun (it starts at ${before.published}); withdraw it instead`,
    };
  }
  if (end >= before.expires) {
    return {
      problem: `announcement ${id} expires before that, at ${before.expires}; to let it run longer, edit its expiry`,
    };
  }
  return make(history, { action: 'expire', before, after: { ...before, expired: end } }, stamp);
}

/** Takes an announcement back: gone from the public history, and what it superseded is active again. */
export function withdraw(history: HistoryFile, id: string, stamp: Stamp): EditOutcome {
  const before = findEditable(history, id);
  if ('problem' in before) return before;
  const after = { ...before, withdrawn: instantText(stamp.at) };
  return make(history, { action: 'withdraw', before, after }, stamp);
}

function make(
  history: HistoryFile,
  { action, before, after }: Pick<Change, 'action' | 'before'> & { readonly after: StoredAnnouncement },
  stamp: Stamp,
  warnings: readonly string[] = [],
): EditResult {
  if (isSameValue(before, after)) return { history, entry: after, number: undefined, warnings };
  const change = newChange({ action, id: after.id, before, after }, stamp);
  const changes = [...history.changes, change];
  const announcements =
    before === null
      ? [...history.announcements, after]
      : history.announcements.map((entry) => (entry.id === after.id ? after : entry));
  return { history: { ...history, announcements, changes }, entry: after, number: changes.length, warnings };
}

export function newChange(what: Omit<Change, 'at' | 'by' | 'request'>, { by, at, request }: Stamp): Change {
  return { at: instantText(at), by, ...what, ...(request === undefined ? {} : { request }) };
}

function findEditable(history: HistoryFile, id: string): StoredAnnouncement | { problem: string } {
  const entry = history.announcements.find((candidate) => candidate.id === id);
  if (entry === undefined) return { problem: `there is no announcement ${id}` };
  if (entry.withdrawn === undefined) return entry;
  return { problem: `announcement ${id} was withdrawn at ${entry.withdrawn}; undo that to bring it back` };
}

/** Why nothing can be published from then on. Both are stored instants. */
function startProblem(published: string, clock: string): string | undefined {
  if (published >= clock) return undefined;
  return `the start ${published} is in the past; leave it out to publish now`;
}

function moveProblem(before: StoredAnnouncement, published: string, clock: string): string | undefined {
  if (before.published > clock) return startProblem(published, clock);
  return `${before.id} was published at ${before.published}; only the start of a scheduled one can be moved`;
}

function expiryProblem(published: string, expires: string, clock: string): string | undefined {
  if (expires > clock && expires > published) return undefined;
  const isPast = expires < clock || expires > published;
  const problem = isPast ? 'in the past' : `not after the start ${published}`;
  return `the expiry ${expires} is ${problem}; write a later one, such as +30d`;
}

/** Every id ever used, including those of announcements whose publishing was undone: no id is used twice. */
function usedIds({ announcements, changes }: HistoryFile): Set<string> {
  return new Set([...announcements, ...changes].map(({ id }) => id));
}

/**
 * `YYYY-NNN`: the UTC year of publishing, and the first free number above the highest one of three to six
 * digits used in that year (four digits past 999). Longer numbers were chosen by an editor; skipping them
 * keeps the sequence short.
 */
export function nextId(history: HistoryFile, published: string): string {
  const year = published.slice(0, 4);
  const used = usedIds(history);
  const ofYear = new RegExp(`^${year}-(\\d{3,6})$`);
  const highest = [...used].reduce((max, id) => Math.max(max, Number(ofYear.exec(id)?.[1] ?? 0)), 0);
  const idOf = (number: number) => `${year}-${String(number).padStart(3, '0')}`;
  let number = highest + 1;
  while (used.has(idOf(number))) number += 1;
  return idOf(number);
}
