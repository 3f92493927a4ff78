import type { Change, HistoryFile, StoredAnnouncement } from '../announcement.ts';
import { nextId, parseId, usedIds } from '../announcement-id.ts';
import type { FieldValue } from '../fields.ts';
import { checkPlainValues, type PlainValues, withMessage } from '../plain-values.ts';
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

export interface NewAnnouncement extends PlainValues {
  /** Instants, epoch milliseconds. */
  readonly published: number;
  readonly expires: number;
  /** Default: the next free one. */
  readonly id?: string | undefined;
}

/** Fields that are undefined stay as they are. */
export interface AnnouncementEdit extends PlainValues {
  /** Instants, epoch milliseconds. */
  readonly published?: number | undefined;
  readonly expires?: number | undefined;
}

export function publish(history: HistoryFile, draft: NewAnnouncement, stamp: Stamp): EditOutcome {
  const plain = checkPlain(withMessage(draft));
  if ('problem' in plain) return plain;
  const clock = instantText(stamp.at);
  const published = instantText(draft.published);
  const expires = instantText(draft.expires);
  const problem = startProblem(published, clock) ?? expiryProblem(published, expires, clock);
  if (problem !== undefined) return { problem };
  const id = draft.id ?? nextId(history, published);
  const checkedId = parseId(id);
  if ('problem' in checkedId) return checkedId;
  if (usedIds(history).has(id)) return { problem: `the id ${id} is taken; every id is used once` };
  const blank = { id, message: '', link: '', published, expires };
  const after = withValues(blank, plain.values);
  const warnings = [...plain.warnings, ...labelWarnings(after)];
  return make(history, { action: 'publish', before: null, after }, stamp, warnings);
}

export function edit(history: HistoryFile, id: string, changes: AnnouncementEdit, stamp: Stamp): EditOutcome {
  const before = findEditable(history, id);
  if ('problem' in before) return before;
  // The existing message and link are checked too: an old file may hold values that are no longer allowed.
  const { message, markdown, link } = before;
  const isSameText = changes.message === undefined && changes.markdown === undefined;
  const words = isSameText ? { message, markdown } : {};
  const plain = checkPlain({ link, ...withoutUndefined(changes), ...words }, before);
  if ('problem' in plain) return plain;
  const clock = instantText(stamp.at);
  const published = changes.published === undefined ? before.published : instantText(changes.published);
  const expires = changes.expires === undefined ? before.expires : instantText(changes.expires);
  const problem =
    (published === before.published ? undefined : moveProblem(before, published, clock)) ??
    (expires === before.expires && published === before.published
      ? undefined
      : expiryProblem(published, expires, clock));
  if (problem !== undefined) return { problem };
  const { expired, ...rest } = before;
  // A new expiry is the editor's last word: it also cancels an earlier "end it at …".
  const keepsEnd = expired !== undefined && changes.expires === undefined;
  if (keepsEnd && expired < published)
    return { problem: `it was to end at ${expired}, before its new start; give a new expiry too` };
  const moved = { ...rest, published, expires, ...(keepsEnd ? { expired } : {}) };
  const after = withValues(moved, plain.values);
  const isAboutWords = changes.translations !== undefined || changes.linkLabel !== undefined;
  const warnings = [...plain.warnings, ...(isAboutWords ? labelWarnings(after) : [])];
  return make(history, { action: 'edit', before, after }, stamp, warnings);
}

/** Readers of a translation without a link label see the untranslated one. */
function labelWarnings({ link, linkLabel, translations = {} }: StoredAnnouncement): string[] {
  if (linkLabel === undefined) return [];
  return Object.entries(translations)
    .filter(([, words]) => words.linkLabel === undefined && (words.link ?? link) !== '')
    .map(([tag]) => `the link label is not translated for ${tag}: its readers see “${linkLabel}”`);
}

type CheckedValues = Omit<ReturnType<typeof checkPlainValues>, 'problems'>;

function checkPlain(
  given: PlainValues,
  before?: StoredAnnouncement,
): CheckedValues | { readonly problem: string } {
  const { values, warnings, problems } = checkPlainValues(given, before);
  const [first] = problems;
  if (first === undefined) return { values, warnings };
  const { problem, fix } = first;
  return { problem: fix === undefined ? problem : `${problem}; ${fix}` };
}

function withValues(
  entry: StoredAnnouncement,
  values: Readonly<Record<string, FieldValue | undefined>>,
): StoredAnnouncement {
  return withoutUndefined({ ...entry, ...values }) as StoredAnnouncement;
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}

/** Ends an announcement now, or at a later instant (epoch milliseconds). */
export function expire(history: HistoryFile, id: string, at: number | undefined, stamp: Stamp): EditOutcome {
  const before = findEditable(history, id);
  if ('problem' in before) return before;
  const clock = instantText(stamp.at);
  const end = instantText(at ?? stamp.at);
  if (endOf(before) <= clock) return { problem: `${id} has already ended, at ${endOf(before)}` };
  if (end < clock) return { problem: `${end} is in the past; leave the time out to end ${id} now` };
  if (end < before.published) {
    return { problem: `${id} has not begun (it starts at ${before.published}); withdraw it instead` };
  }
  if (end >= before.expires) {
    return {
      problem: `${id} expires before that, at ${before.expires}; to let it run longer, edit its expiry`,
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

/** A change as the log has it. */
export function newChange(what: Omit<Change, 'at' | 'by' | 'request'>, { by, at, request }: Stamp): Change {
  return { at: instantText(at), by, ...what, ...(request === undefined ? {} : { request }) };
}

function findEditable(history: HistoryFile, id: string): StoredAnnouncement | { problem: string } {
  const entry = history.announcements.find((candidate) => candidate.id === id);
  if (entry === undefined) return { problem: `there is no announcement ${id}` };
  if (entry.withdrawn === undefined) return entry;
  const number = history.changes.findLastIndex((change) => change.id === id) + 1;
  const change = number === 0 ? 'that change' : `change ${number}`;
  return { problem: `${id} was withdrawn at ${entry.withdrawn}; undo ${change} to bring it back` };
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
  const isPast = `the expiry ${expires} is in the past; write a later one, such as +30d`;
  if (expires < clock) return isPast;
  if (expires <= published)
    return `the expiry ${expires} is not after the start ${published}; write a later one, such as +30d`;
  return expires > clock ? undefined : isPast;
}
