import { formOf } from '../../announcements/field-options.ts';
import { type FieldName, fieldOf } from '../../announcements/fields.ts';
import type { Moment } from '../../announcements/times/moment.ts';
import { type MomentContext, parseExpiry, parseStart } from '../../announcements/times/moment.ts';
import type { FormLines } from '../../announcements/values/form-input.ts';
import { parseWords } from '../../announcements/values/markdown.ts';
import { maxMessage, messageLength } from '../../announcements/values/message.ts';
import { toMomentText } from '../display/moments.ts';

/** What there is to say about a line. */
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
    ...(lines.link?.trim() ? { link: reportLink(lines) } : {}),
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
    return { problem: 'the message is still missing', note: 'what visitors read, on one line' };
  const result = parseWords(markdown === 'yes' ? { markdown: text } : { message: text });
  if ('problem' in result) return { problem: result.problem };
  const note = `${messageLength(result.value.message)} of ${maxMessage} characters`;
  return { note: [note, ...(result.warnings ?? [])].join('; ').replace('; ', ': ') };
}

function reportLink(lines: FormLines): FieldReport {
  const [input] = formOf('link').inputs(lines);
  const problem = input?.problemIn(lines.link ?? '');
  return problem === undefined ? { note: 'a click on the badge leads there' } : { problem };
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
  return { note: toMomentText(start.instant, context) };
}

function reportExpiry(end: Moment, published: number, context: MomentContext): FieldReport {
  if ('problem' in end) return { problem: end.problem };
  const text = toMomentText(end.instant, context);
  if (end.instant <= context.now) return { problem: `${text}: that is already over` };
  return end.instant <= published ? { problem: `${text}: that is not after the start` } : { note: text };
}
