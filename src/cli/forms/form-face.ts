import { fieldOf, formFields } from '../../announcements/fields.ts';
import { toInstantText } from '../../announcements/times/instant.ts';
import type { Moment } from '../../announcements/times/moment.ts';
import { type MomentContext, parseExpiry, parseStart } from '../../announcements/times/moment-options.ts';
import { parseLink } from '../../announcements/values/link.ts';
import { longestMessage, messageLength, parseMessage } from '../../announcements/values/message.ts';
import type { FormFace, FormPaint } from '../../tui/announce-form/form-lines.ts';
import type { FieldReport, FormReport, FormValues } from '../../tui/announce-form/form-state.ts';
import { drawBadge, drawBrandAlone } from '../display/badge-drawing.ts';
import { toClockText, toRelativeText } from '../display/moments.ts';
import { createPaint, type Paint } from '../output/paint.ts';
import { pad, toTerminalText, widthOf, wrap } from '../output/text-width.ts';
import type { CommandIo } from '../program/command-io.ts';

/** Looks at the form's fields as the commands would at their options. `begun` is the fixed start of an announcement that has begun. */
export function checkFields(
  values: FormValues,
  context: MomentContext,
  begun: number | undefined,
): FormReport {
  const start = begun === undefined ? parseStart(values.at ?? '', context) : { instant: begun };
  const published = 'instant' in start ? start.instant : context.now;
  return {
    ...checkPlain(values),
    message: checkMessage(values.message ?? ''),
    link: checkLink(values.link ?? ''),
    at: begun === undefined ? checkStart(values.at ?? '', start, context) : {},
    expires: checkExpiry(parseExpiry(values.expires ?? '', published, context), published, context),
  };
}

/** Fields without notes of their own. */
function checkPlain(values: FormValues): FormReport {
  const reports = formFields().map(({ field, name }) => {
    const text = values[name] ?? '';
    const { parse, presence, remark = '' } = fieldOf(field);
    const result = parse(text);
    const isLeftOut = text === '' && presence === 'optional';
    return [
      name,
      'problem' in result && !isLeftOut ? result : { note: isLeftOut ? 'none' : remark },
    ] as const;
  });
  return Object.fromEntries(reports);
}

function checkMessage(text: string): FieldReport {
  const result = parseMessage(text);
  const note = `${messageLength(text.trim())} of ${longestMessage} characters`;
  if (text.trim() === '')
    return { problem: 'the message is still missing', note: 'what visitors read, on one line' };
  if ('problem' in result) return { problem: result.problem };
  return { note: result.warnings.length > 0 ? `${note}: ${result.warnings.join('; ')}` : note };
}

function checkLink(text: string): FieldReport {
  const result = parseLink(text);
  if ('problem' in result) return result;
  return {
    note: result.link === '' ? 'none: the badge shows text only' : 'a click on the badge leads there',
  };
}

function checkStart(text: string, start: Moment, context: MomentContext): FieldReport {
  if ('problem' in start) return start;
  if (text.trim() === 'now') return { note: 'at once; or a date, a time, or a span such as +2d' };
  if (start.instant < Math.floor(context.now / 1000) * 1000)
    return { problem: 'that is in the past; write now to publish at once' };
  return { note: toMomentText(start.instant, context) };
}

function checkExpiry(end: Moment, published: number, context: MomentContext): FieldReport {
  if ('problem' in end) return end;
  if (end.instant <= context.now)
    return { problem: `${toMomentText(end.instant, context)}: that is over already` };
  if (end.instant <= published)
    return { problem: `${toMomentText(end.instant, context)}: that is not after the start` };
  return { note: toMomentText(end.instant, context) };
}

function toMomentText(instant: number, { zone, now }: MomentContext): string {
  return `${toClockText(toInstantText(instant), zone)} in ${zone} (${toRelativeText(instant, now)})`;
}

export function createFormPaint(paint: Paint, io: CommandIo): FormPaint {
  const { bold, dim, warn, accent } = paint;
  return { bold, dim, warn, accent, cursor: (text) => (io.out.isTTY ? `\u001B[7m${text}\u001B[27m` : text) };
}

/** How the form looks: the badge, and the summary before the question. */
export function createFormFace(
  title: string,
  question: string,
  io: CommandIo,
  check: (values: FormValues) => FormReport,
): FormFace {
  const paint = createPaint(io.out, io.env);
  return {
    title,
    labels: Object.fromEntries(formFields().map(({ name, label }) => [name, label])),
    question,
    paint: createFormPaint(paint, io),
    widthOf,
    drawPreview: ({ message = '', link = '' }, columns) =>
      message.trim() === ''
        ? drawBrandAlone(paint)
        : drawBadge({ message: message.trim(), link: link.trim() }, paint, columns),
    summarize(values, columns) {
      const { at = {}, expires = {} } = check(values);
      const rows: [string, string][] = [
        ['Message', toTerminalText((values.message ?? '').trim())],
        ['Link', toTerminalText((values.link ?? '').trim()) || 'none'],
        ...(at.note === undefined ? [] : [['From', at.note.replace(/;.*/, '')] as [string, string]]),
        ['Until', expires.note ?? ''],
      ];
      return rows.flatMap(([label, value]) => {
        const [first = '', ...rest] = wrap(value, Math.max(20, columns - 13));
        return [`  ${paint.dim(pad(label, 10))}${first}`, ...rest.map((line) => ' '.repeat(12) + line)];
      });
    },
  };
}

/** What was typed is not lost: it can be taken from here. */
export function toReminder({ message = '' }: FormValues): string {
  return message.trim() === '' ? '' : `; the message was: “${message.trim()}”`;
}
