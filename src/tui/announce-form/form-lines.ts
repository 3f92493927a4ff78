import { drawField, drawMore, type FieldFace, type FormPaint } from './field-lines.ts';
import {
  type FormReport,
  type FormState,
  type FormValues,
  type InputName,
  moreLine,
  shownNames,
} from './form-state.ts';

export interface FormFace {
  readonly title: string;
  /** What a field is called. */
  readonly labelOf: (name: InputName, values: FormValues) => string;
  /** The question at the end, such as `Publish it?`. */
  readonly question: string;
  readonly paint: FormPaint;
  /** Columns that a text takes. */
  readonly widthOf: (text: string) => number;
  /** The announcement as it is drawn while the field in focus is written. */
  readonly drawPreview: (values: FormValues, columns: number, focus: InputName) => readonly string[];
  readonly summarize: (values: FormValues, columns: number) => readonly string[];
  /** The extra fields on one line: what they say, else which there are. */
  readonly describeMore: (values: FormValues) => string;
}

export interface FormSize {
  readonly columns: number;
  readonly rows: number;
}

/** Rows that an advice takes where there is room: it is broken between words, and only what is longer is cut. */
const adviceRows = 3;

const narrowestLabel = 11;
const widestLabel = 22;

/** The form as lines, never more than there are rows: of several layouts, the richest that fits. */
export function drawForm(
  state: FormState,
  report: FormReport,
  face: FormFace,
  { columns, rows }: FormSize,
): string[] {
  const room = rows - 1; // a last line that scrolls would make the terminal jump
  const layouts =
    state.stage === 'confirm'
      ? confirmLayouts(state, face, columns)
      : fieldLayouts(state, report, face, { columns, rows: room });
  return layouts.find((lines) => lines.length <= room) ?? (layouts.at(-1) ?? []).slice(-Math.max(1, room));
}

function fieldLayouts(
  state: FormState,
  report: FormReport,
  face: FormFace,
  { columns, rows }: FormSize,
): string[][] {
  const { paint, title } = face;
  const head = [paint.bold(title), ''];
  const foot = ['', paint.dim(keysLine(state, columns))];
  const preview = ['', ...face.drawPreview(state.values, columns, state.focus)];
  const names = shownNames(state);
  const fields = drawFields(names, state, report, face, { columns });
  const whole = drawFields(names, state, report, face, { columns, mostRows: adviceRows });
  const at = Math.max(0, names.indexOf(state.focus));
  const focused = fields[at] ?? [];
  const short = fields.flatMap((lines) => (lines === focused ? lines : lines.slice(0, 1)));
  const part = (room: number) => around(short, at, room);
  return [
    [...head, ...whole.flat(), ...preview, ...foot],
    [
      ...head,
      ...fields.flatMap((lines, place) => (place === at ? (whole[at] ?? lines) : lines)),
      ...preview,
      ...foot,
    ],
    [...head, ...fields.flat(), ...preview, ...foot],
    [...head, ...short, ...preview, ...foot],
    [...head, ...fields.flat(), ...foot],
    [...fields.flat(), ...foot],
    ...(names.length > 6 ? [[...part(rows - preview.length - 2), ...preview, ...foot]] : []),
    [...short, ...foot],
    short,
    ...(rows > 4 ? [[...part(rows - 2), ...foot]] : []),
    part(Math.max(2, rows)),
    focused.slice(0, 1),
  ].filter((lines) => lines.some((line) => focused.includes(line)));
}

/** So many lines, with those that are in focus, or the first two of them. */
function around(lines: readonly string[], focus: number, room: number): string[] {
  const from = Math.max(0, Math.min(focus - Math.floor((room - 2) / 2), lines.length - room));
  return room < 2 ? [] : lines.slice(from, from + room);
}

function drawFields(
  names: readonly InputName[],
  state: FormState,
  report: FormReport,
  face: FormFace,
  space: Pick<FieldFace, 'columns' | 'mostRows'>,
): string[][] {
  const { paint, widthOf } = face;
  const labels = new Map(
    names.map((name) => [name, name === moreLine ? 'More' : face.labelOf(name, state.values)]),
  );
  const longest = Math.max(...[...labels.values()].map((label) => widthOf(label) + 3));
  const labelWidth = Math.min(widestLabel, Math.max(narrowestLabel, longest));
  return names.map((name) => {
    const field = { paint, widthOf, label: labels.get(name) ?? name, labelWidth, ...space };
    if (name === moreLine) return drawMore(state, face.describeMore(state.values), field);
    const known = state.fields.find((candidate) => candidate.name === name) ?? { name };
    return drawField(known, state, report[name] ?? {}, field);
  });
}

function confirmLayouts(state: FormState, face: FormFace, columns: number): string[][] {
  const { values } = state;
  const head = [face.paint.bold(face.title), ''];
  const question = ['', `${face.paint.bold(face.question)}  ${answers(state, columns)}`];
  const summary = face.summarize(values, columns);
  const preview = [...face.drawPreview(values, columns, state.focus), ''];
  return [[...head, ...preview, ...summary, ...question], [...summary, ...question], question];
}

function answers(state: FormState, columns: number): string {
  const hasMore = shownNames(state).includes(moreLine);
  if (columns < 60) return hasMore ? 'y/n, m = more' : 'y/n';
  return `y = yes, n = no, back to the form${hasMore ? ', m = more' : ''}`;
}

function keysLine(state: FormState, columns: number): string {
  const keys = state.isOpen
    ? 'Enter: next · Tab and arrows move · Esc: fewer fields · Ctrl+C: cancel'
    : 'Enter: next · Tab and arrows move · Ctrl+C: cancel';
  return keys.length <= columns ? keys : 'Enter: next · Ctrl+C: cancel';
}
