import { formFieldNames, formOf } from '../../announcements/field-options.ts';
import { type FieldName, fieldOf } from '../../announcements/fields.ts';
import { type PlainValues, plainNames } from '../../announcements/plain-values.ts';
import {
  type Moment,
  type MomentContext,
  parseExpiry,
  parseStart,
} from '../../announcements/times/moment.ts';
import type { FieldInput } from '../../announcements/values/field.ts';
import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { parseWords } from '../../announcements/values/markdown.ts';
import { maxMessage, messageLength } from '../../announcements/values/message.ts';
import { isSameValue, patchOf } from '../../announcements/values/object-parts.ts';
import { ContentError } from '../../server/stores/content/content-error.ts';
import { type AnnouncementJson, formatClock, formatMoment } from '../display/announcement-text.ts';
import { RefusedError } from '../program/command-io.ts';

/** What an editor has written, as `publish` and `edit` take it. */
export interface Answers {
  readonly at?: string | undefined;
  readonly expires?: string | undefined;
  readonly id?: string | undefined;
  readonly values: PlainValues;
}

/** What is known before a form is opened: moments as they were typed, values as they would be stored. */
export interface Given {
  readonly at?: string | undefined;
  readonly expires?: string | undefined;
  readonly id?: string | undefined;
  readonly values: Known;
}

/** The known fields of an announcement; null: not set. */
type Known = { readonly [N in FieldName]?: FieldInput | undefined };

/** The fields that can be written: of a new announcement, or of one that has begun or not. */
export function writableNames(kind: 'new' | 'scheduled' | 'begun'): readonly FieldName[] {
  if (kind === 'new') return formFieldNames;
  return formFieldNames.filter((name) => name !== 'id' && !(name === 'published' && kind === 'begun'));
}

/** The fields of an announcement that can be changed, and their lines. */
export interface Editable {
  readonly names: readonly FieldName[];
  /** When it began, milliseconds since 1970; undefined if it has not yet. */
  readonly begun: number | undefined;
  readonly initial: FormLines;
}

/** Throws a `RefusedError` for an announcement that was withdrawn. */
export function editable(announcement: AnnouncementJson, zone: string): Editable {
  const { id, state, published } = announcement;
  if (state === 'withdrawn') throw new RefusedError(`${id} was withdrawn; undo that to bring it back`);
  const isScheduled = state === 'scheduled';
  const names = writableNames(isScheduled ? 'scheduled' : 'begun');
  const begun = isScheduled ? undefined : Date.parse(published);
  return { names, begun, initial: linesOf(announcement, names, zone) };
}

/** The inputs of these fields, those that are always asked for first. */
export function inputsOf(names: readonly FieldName[], lines: FormLines): FormInput[] {
  const inputs = names.flatMap((name) => formOf(name).inputs(lines));
  return [...inputs.filter(({ isExtra }) => !isExtra), ...inputs.filter(({ isExtra }) => isExtra)];
}

/** An announcement as lines, moments as the clock in that zone shows them. */
export function linesOf(known: Known, names: readonly FieldName[], zone: string): FormLines {
  const lines = names.map((name) => {
    const value = known[name] ?? undefined;
    const isInstant = fieldOf(name).kind === 'instant' && value !== undefined;
    return formOf(name).write(isInstant ? formatClock(String(value), zone) : value);
  });
  return Object.assign({}, ...lines);
}

/** The answers that the lines of a new announcement give. */
export function readLines(lines: FormLines): Answers {
  return {
    ...readMoments(lines),
    ...readId(lines),
    values: readValues(
      lines,
      () => true,
      (value) => value,
    ),
  };
}

/** The answers that differ between two versions of the lines: only these are changed. */
export function readChanges(lines: FormLines, initial: FormLines): Answers {
  const isTouched = (name: FieldName) => !isSameValue(formOf(name).read(lines), formOf(name).read(initial));
  const values = readValues(lines, isTouched, (value, name) =>
    fieldOf(name).kind === 'nested' ? (patchOf(formOf(name).read(initial), value) as FieldInput) : value,
  );
  const moments = Object.entries(readMoments(lines)).filter(
    ([name, text]) => text !== (initial[name] ?? '').trim(),
  );
  // A command says that nothing is to change only where it is given something.
  const isNothing = moments.length === 0 && Object.keys(values).length === 0;
  return { ...Object.fromEntries(moments), values: isNothing ? { message: initial.message ?? '' } : values };
}

function readValues(
  lines: FormLines,
  isWanted: (name: FieldName) => boolean,
  convert: (value: FieldInput, name: FieldName) => FieldInput,
): PlainValues {
  const wanted = plainNames.filter(isWanted);
  return Object.fromEntries(wanted.map((name) => [name, convert(formOf(name).read(lines), name)]));
}

function readMoments({ at, expires }: FormLines): Pick<Answers, 'at' | 'expires'> {
  return {
    ...(at === undefined ? {} : { at: at.trim() }),
    ...(expires === undefined ? {} : { expires: expires.trim() }),
  };
}

function readId({ id = '' }: FormLines): Pick<Answers, 'id'> {
  return id.trim() === '' ? {} : { id: id.trim() };
}

/** The feedback on one line. */
export interface FieldReport {
  readonly problem?: string;
  readonly note?: string;
}

/** By the names of the inputs. */
export type FormReport = Readonly<Record<string, FieldReport>>;

export interface LineContext extends MomentContext {
  /** The fields that are written. */
  readonly names: readonly FieldName[];
  /** The fixed start of an announcement that has begun, epoch milliseconds. */
  readonly begun?: number | undefined;
  /** Lines as they were at first: a moment that was not touched stays as it is, even where it is over. */
  readonly initial?: FormLines;
}

/** Looks at lines as the commands would at their options: what is wrong with each, or what it means. */
export function reportLines(lines: FormLines, context: LineContext): FormReport {
  const { names } = context;
  return {
    ...Object.assign({}, ...names.map((name) => reportField(name, lines))),
    message: reportMessage(lines),
    ...reportMoments(lines, context),
  };
}

function reportField(name: FieldName, lines: FormLines): FormReport {
  const { inputs, read } = formOf(name);
  const { kind, parse } = fieldOf(name);
  const reports = inputs(lines).map((input) => {
    const problem = input.problemIn(lines[input.name] ?? '');
    return [input.name, problem === undefined ? { note: input.hint } : { problem }] as const;
  });
  const [first] = reports;
  const isWrong = reports.some(([, report]) => 'problem' in report);
  const value = kind === 'instant' ? null : read(lines);
  // Each line may be right and all of them together too long.
  const result = isWrong || value === null || kind !== 'nested' ? {} : parse(value);
  if (first !== undefined && 'problem' in result)
    return { ...Object.fromEntries(reports), [first[0]]: { problem: String(result.problem) } };
  return Object.fromEntries(reports);
}

function reportMessage({ message: text = '', markdown }: FormLines): FieldReport {
  if (text.trim() === '')
    return { problem: 'the message is missing', note: 'what visitors read, on one line' };
  const result = parseWords(markdown === 'yes' ? { markdown: text } : { message: text });
  if ('problem' in result) return { problem: result.problem };
  const { warnings = [], value } = result;
  const note = `${messageLength(value.message)} of ${maxMessage} characters`;
  return { note: warnings.length > 0 ? `${note}: ${warnings.join('; ')}` : note };
}

function reportMoments(lines: FormLines, context: LineContext): FormReport {
  const { at = '', expires = '' } = lines;
  const { begun, initial, now } = context;
  const isAtSame = initial !== undefined && at === initial.at;
  const start = begun === undefined ? parseStart(at, context) : { instant: begun };
  const published = 'instant' in start ? start.instant : now;
  const untouched = { note: 'unchanged' };
  return {
    ...(begun === undefined ? { at: isAtSame ? untouched : reportStart(at, start, context) } : {}),
    expires:
      initial !== undefined && expires === initial.expires && (isAtSame || begun !== undefined)
        ? untouched
        : reportExpiry(parseExpiry(expires, published, context), published, context),
  };
}

function reportStart(text: string, start: Moment, context: MomentContext): FieldReport {
  if ('problem' in start) return { problem: start.problem };
  if (text.trim() === 'now') return { note: 'at once; or a date, a time, or a span such as +2d' };
  if (start.instant < Math.floor(context.now / 1000) * 1000)
    return { problem: 'that is in the past; write now to publish at once' };
  return { note: formatMoment(start.instant, context) };
}

function reportExpiry(end: Moment, published: number, context: MomentContext): FieldReport {
  if ('problem' in end) return { problem: end.problem };
  const text = formatMoment(end.instant, context);
  if (end.instant <= context.now) return { problem: `${text}: that is already over` };
  return end.instant <= published ? { problem: `${text}: that is not after the start` } : { note: text };
}

/** The answers of an editor, and a way to keep them if the work fails. */
export interface Asked {
  readonly answers: Answers;
  /** Adds what was typed, or where it is, to the reason why the work failed. */
  readonly remindOnFailure: <T>(work: Promise<T>) => Promise<T>;
}

/** Repeats a message that was typed; the other answers are still on the screen. */
export function remindOnFailure(message: string): Asked['remindOnFailure'] {
  return (work) => withReminder(work, message === '' ? '' : `; the message was: “${message}”`);
}

/** @param reminder goes on after a sentence without its full stop; may be empty */
export async function withReminder<T>(work: Promise<T>, reminder: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isReason = error instanceof RefusedError || error instanceof ContentError;
    if (!isReason || reminder === '') throw error;
    const sentence = error.message.replace(/\.$/, '') + reminder;
    if (error instanceof RefusedError) throw new RefusedError(sentence);
    throw new ContentError(sentence, error.file, error.problems, { cause: error });
  }
}
