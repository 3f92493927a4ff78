import type { FieldName } from '../../announcements/fields.ts';
import type { FormInput, FormLines } from '../../announcements/values/form-input.ts';
import { type Severity, severities } from '../../announcements/values/severity.ts';
import type { FormPaint } from '../../tui/announce-form/field-lines.ts';
import type { FormFace } from '../../tui/announce-form/form-lines.ts';
import type { FormReport } from '../../tui/announce-form/form-state.ts';
import { type DrawnAnnouncement, drawBadge, drawBrandAlone } from '../display/badge-drawing.ts';
import { createPaint, type Paint } from '../output/paint.ts';
import { pad, toTerminalText, widthOf, wrap } from '../output/text-width.ts';
import type { CommandIo } from '../program/command-io.ts';
import { inputsOf } from './announcement-lines.ts';

export interface FaceOptions {
  readonly title: string;
  readonly question: string;
  readonly names: readonly FieldName[];
  readonly check: (lines: FormLines) => FormReport;
}

export function createFormPaint(paint: Paint, io: CommandIo): FormPaint {
  const { bold, dim, warn, accent } = paint;
  return { bold, dim, warn, accent, cursor: (text) => (io.out.isTTY ? `\u001B[7m${text}\u001B[27m` : text) };
}

/** How the form looks: the badge, and the summary before the question. */
export function createFormFace({ title, question, names, check }: FaceOptions, io: CommandIo): FormFace {
  const paint = createPaint(io.out, io.env);
  return {
    title,
    labelOf: (name, lines) => inputsOf(names, lines).find((input) => input.name === name)?.label ?? name,
    question,
    paint: createFormPaint(paint, io),
    widthOf,
    drawPreview(lines, columns, focus) {
      const drawn = toDrawn(lines, focus);
      return drawn.message === '' ? drawBrandAlone(paint) : drawBadge(drawn, paint, columns);
    },
    describeMore: (lines) => describeMore(inputsOf(names, lines), lines),
    summarize(lines, columns) {
      const rows = toSummary(inputsOf(names, lines), lines, check(lines));
      const labelWidth = Math.max(...rows.map(([label]) => widthOf(label))) + 3;
      return rows.flatMap(([label, value]) => {
        const [first = '', ...rest] = wrap(value, Math.max(20, columns - labelWidth - 3));
        return [
          `  ${paint.dim(pad(label, labelWidth))}${first}`,
          ...rest.map((line) => ' '.repeat(labelWidth + 2) + line),
        ];
      });
    },
  };
}

/** In the language that is being written, else as it is written first. */
function toDrawn(lines: FormLines, focus: string): DrawnAnnouncement {
  const [, language] = /^\w+\.(.+)$/.exec(focus) ?? [];
  const lineOf = (part: string) => {
    const translated = language === undefined ? '' : (lines[`${part}.${language}`] ?? '').trim();
    return translated === '' ? (lines[part] ?? '').trim() : translated;
  };
  const severity = severities.find((candidate): candidate is Severity => candidate === lines.severity);
  return {
    message: lineOf('message'),
    link: lineOf('link'),
    linkLabel: lineOf('linkLabel'),
    severity,
    dismissible: (lines.dismissible ?? '').trim() !== 'no',
  };
}

/** What is set; else what could be. */
function describeMore(inputs: readonly FormInput[], lines: FormLines): string {
  const extras = inputs.filter(({ isExtra }) => isExtra);
  const set = extras.filter((input) => isSet(input, lines));
  if (set.length > 0) return set.map((input) => `${input.label}: ${lines[input.name]?.trim()}`).join(' · ');
  return extras.map(({ label }) => label.toLowerCase()).join(', ');
}

/** Whether a line says anything but what it would be without it: the first choice, or nothing. */
function isSet({ name, choices: [first = ''] = [] }: FormInput, lines: FormLines): boolean {
  return (lines[name] ?? '').trim() !== first;
}

function toSummary(
  inputs: readonly FormInput[],
  lines: FormLines,
  { at, expires }: FormReport,
): (readonly [label: string, value: string])[] {
  const textOf = (name: string) => toTerminalText((lines[name] ?? '').trim());
  const extras = inputs.filter((input) => input.isExtra && isSet(input, lines));
  return [
    ['Message', textOf('message')],
    ['Link', textOf('link') || 'none'],
    ...(at?.note === undefined ? [] : [['From', at.note.replace(/;.*/, '')] as const]),
    ['Until', expires?.note ?? ''],
    ...extras.map(({ name, label }) => [label, textOf(name)] as const),
  ];
}
