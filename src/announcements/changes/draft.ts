import type { StoredAnnouncement } from '../announcement.ts';
import { parseId } from '../announcement-id.ts';
import {
  checkPlainValues,
  type FieldProblem,
  newFieldProblem,
  type PlainValues,
  withMessage,
} from '../plain-values.ts';
import { defaultExpiry, type MomentContext, parseExpiry, parseStart } from '../times/moment.ts';
import type { AnnouncementEdit, NewAnnouncement } from './history-edit.ts';

/** What an editor has written: moments as texts, plain fields as values. Undefined or null: missing. */
export interface DraftTexts {
  readonly at?: string | null | undefined;
  readonly expires?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly values: PlainValues;
}

export type Read<T> = { readonly value: T } | { readonly problems: readonly FieldProblem[] };

/** Reads a new announcement, or lists everything that is wrong with it. */
export function readDraft(texts: DraftTexts, context: MomentContext): Read<NewAnnouncement> {
  const { values, id } = texts;
  const { published = context.now, expires, problems } = readTimes({ at: 'now', ...given(texts) }, context);
  const end = expires ?? parseExpiry(defaultExpiry, published, context);
  const checkedId = id == null ? { id } : parseId(id);
  const all = [
    ...checkPlainValues(withMessage(values)).problems,
    ...problems,
    ...('problem' in checkedId ? [newFieldProblem('id', checkedId)] : []),
  ];
  if (all.length > 0) return { problems: all };
  return {
    value: {
      ...values,
      published,
      expires: typeof end === 'number' ? end : 'instant' in end ? end.instant : published,
      id: id ?? undefined,
    },
  };
}

/** Reads an edit of `before`, likewise. A span as its end counts from its start, if that is in the future. */
export function readEdit(
  texts: DraftTexts,
  before: StoredAnnouncement | undefined,
  context: MomentContext,
): Read<AnnouncementEdit> {
  const start = Date.parse(before?.published ?? '') || context.now;
  const { published, expires, problems } = readTimes(given(texts), context, start);
  const all = [...checkPlainValues(texts.values, before).problems, ...problems];
  return all.length > 0 ? { problems: all } : { value: { ...texts.values, published, expires } };
}

/** Reads the moment at which an announcement is to end early; undefined: now. */
export function readEarlyEnd(
  at: string | null | undefined,
  context: MomentContext,
): Read<number | undefined> {
  const end = at == null ? undefined : parseStart(at, context);
  if (end !== undefined && 'problem' in end) return { problems: [newFieldProblem('at', end)] };
  return { value: end?.instant };
}

function given({ at, expires }: DraftTexts) {
  return { ...(at == null ? {} : { at }), ...(expires == null ? {} : { expires }) };
}

/** @param start what a span counts from if the texts have no start */
function readTimes(
  { at, expires }: { readonly at?: string; readonly expires?: string },
  context: MomentContext,
  start = context.now,
) {
  const begin = at === undefined ? undefined : parseStart(at, context);
  const published = begin !== undefined && 'instant' in begin ? begin.instant : undefined;
  const end = expires === undefined ? undefined : parseExpiry(expires, published ?? start, context);
  return {
    published,
    expires: end !== undefined && 'instant' in end ? end.instant : undefined,
    problems: [
      ...(begin !== undefined && 'problem' in begin ? [newFieldProblem('at', begin)] : []),
      ...(end !== undefined && 'problem' in end ? [newFieldProblem('expires', end)] : []),
    ],
  };
}
