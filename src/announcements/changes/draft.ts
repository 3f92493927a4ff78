import type { StoredAnnouncement } from '../announcement.ts';
import { parseId } from '../fields.ts';
import { checkPlainValues, newFieldProblem, type PlainValues, type Read } from '../plain-values.ts';
import { defaultExpiry, type MomentContext, parseExpiry, parseStart } from '../times/moment.ts';
import type { AnnouncementEdit, NewAnnouncement } from './history-edit.ts';

/** What an editor has written: moments as texts, plain fields as values. Undefined or null: missing. */
export interface DraftTexts {
  readonly at?: string | null | undefined;
  readonly expires?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly values: PlainValues;
}

export function readDraft(
  { at, expires, id, values: given }: DraftTexts,
  context: MomentContext,
): Read<NewAnnouncement> {
  const begin = parseStart(at ?? 'now', context);
  const published = 'instant' in begin ? begin.instant : context.now;
  const end = parseExpiry(expires ?? defaultExpiry, published, context);
  // A missing message is null, so that it is checked: a new announcement must have one.
  const { values, warnings, problems } = checkPlainValues({ ...given, message: given.message ?? null });
  const name = id == null ? { value: undefined } : parseId(id);
  if ('instant' in end && 'value' in name && 'instant' in begin && problems.length === 0)
    return { value: { ...values, warnings, published, expires: end.instant, id: name.value } };
  return { problems: [...problems, ...problemsOf({ at: begin, expires: end, id: name })] };
}

/** Reads an edit of `before`, likewise. A span as its end counts from its start, if that is in the future. */
export function readEdit(
  { at, expires, values: given }: DraftTexts,
  before: StoredAnnouncement | undefined,
  context: MomentContext,
): Read<AnnouncementEdit> {
  const begin = at == null ? undefined : parseStart(at, context);
  const published = begin !== undefined && 'instant' in begin ? begin.instant : undefined;
  const start = published ?? (before === undefined ? context.now : Date.parse(before.published));
  const end = expires == null ? undefined : parseExpiry(expires, start, context);
  // The existing message and link are checked too: an old file may hold values that are no longer allowed.
  const isSameText = given.message === undefined && given.markdown === undefined;
  const words =
    isSameText && before !== undefined ? { message: before.message, markdown: before.markdown } : {};
  const { values, warnings, problems } = checkPlainValues({ link: before?.link, ...given, ...words }, before);
  const all = [...problems, ...problemsOf({ at: begin, expires: end })];
  if (all.length > 0) return { problems: all };
  const instant = end !== undefined && 'instant' in end ? end.instant : undefined;
  return { value: { ...values, warnings, published, expires: instant } };
}

/** Reads the moment at which an announcement is to end early; undefined: now. */
export function readEarlyEnd(
  at: string | null | undefined,
  context: MomentContext,
): Read<number | undefined> {
  const end = at == null ? undefined : parseStart(at, context);
  if (end !== undefined && 'problem' in end) return { problems: problemsOf({ at: end }) };
  return { value: end?.instant };
}

/** @param results what was read, by field */
function problemsOf(results: Readonly<Record<string, object | { problem: string } | undefined>>) {
  return Object.entries(results).flatMap(([name, result]) =>
    result !== undefined && 'problem' in result ? [newFieldProblem(name, result)] : [],
  );
}
