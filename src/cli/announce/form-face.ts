import { toInstantText } from '../../server/badge/instant.ts';
import { parseLink } from '../../server/badge/link.ts';
import { longestMessage, messageLength, parseMessage } from '../../server/badge/message.ts';
import type { Moment } from '../../server/badge/timestamps.ts';
import type { FormFace, FormPaint } from '../../tui/announce-form/form-lines.ts';
import type { FieldReport, FormReport, FormValues } from '../../tui/announce-form/form-state.ts';
import type { CommandIo } from '../command-io.ts';
import { createPaint, type Paint } from '../paint.ts';
import { pad, toTerminalText, widthOf, wrap } from '../text-width.ts';
import { drawBadge, drawBrandAlone } from './badge-drawing.ts';
import { type MomentContext, parseExpiry, parseStart } from './moment-options.ts';
import { toClockText, toRelativeText } from './moments.ts';

/** Looks at the form's fields as the commands would at their options. `begun` is the fixed start of an announcement that has begun. */
export function checkFields(
  values: FormValues,
  context: MomentContext,
  begun: number | undefined,
): FormReport {
  const start = begun === undefined ? parseStart(values.at, context) : { instant: begun };
  const published = 'instant' in start ? start.instant : context.now;
  return {
    message: checkMessage(values.message),
    link: checkLink(values.link),
    at: begun === undefined ? checkStart(values.at, start, context) : {},
    expires: checkExpiry(parseExpiry(values.expires, published, context), published, context),
  };
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
    question,
    paint: createFormPaint(paint, io),
    widthOf,
    drawPreview: ({ message, link }, columns) =>
      message.trim() === ''
        ? drawBrandAlone(paint)
        : drawBadge({ message: message.trim(), link: link.trim() }, paint, columns),
    summarize(values, columns) {
      const { at, expires } = check(values);
      const rows: [string, string][] = [
        ['Message', toTerminalText(values.message.trim())],
        ['Link', values.link.trim() || 'none'],
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
