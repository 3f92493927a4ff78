import { toVisible } from '../../kit/visible-text.ts';
import {
  charactersOf,
  type FormReport,
  type FormState,
  type FormValues,
  focusedField,
  type InputName,
} from './form-state.ts';

type Brush = (text: string) => string;

/** Colours and the like, each the text itself where they are not wanted. */
export interface FormPaint {
  readonly bold: Brush;
  readonly dim: Brush;
  readonly warn: Brush;
  readonly accent: Brush;
  /** Marks the character under the cursor. */
  readonly cursor: Brush;
}

export interface FormFace {
  readonly title: string;
  /** What each field is called. */
  readonly labels: Readonly<Record<InputName, string>>;
  /** The question at the end, such as `Publish it?`. */
  readonly question: string;
  readonly paint: FormPaint;
  /** Columns that a text takes. */
  readonly widthOf: (text: string) => number;
  readonly drawPreview: (values: FormValues, columns: number) => readonly string[];
  readonly summarize: (values: FormValues, columns: number) => readonly string[];
}

export interface FormSize {
  readonly columns: number;
  readonly rows: number;
}

const labelWidth = 11;

/** The form as lines, never more than there are rows: of several layouts, the richest that fits. */
export function drawForm(
  state: FormState,
  report: FormReport,
  face: FormFace,
  { columns, rows }: FormSize,
): string[] {
  const layouts =
    state.stage === 'confirm'
      ? confirmLayouts(state, face, columns)
      : fieldLayouts(state, report, face, columns);
  const room = rows - 1; // a last line that scrolls would make the terminal jump
  return layouts.find((lines) => lines.length <= room) ?? (layouts.at(-1) ?? []).slice(-Math.max(1, room));
}

function fieldLayouts(state: FormState, report: FormReport, face: FormFace, columns: number): string[][] {
  const { paint, title } = face;
  const head = [paint.bold(title), ''];
  const foot = ['', paint.dim(keysLine(columns))];
  const preview = ['', ...face.drawPreview(state.values, columns)];
  const fields = state.fields.map((field) => drawField(field, state, report, face, columns));
  const focused = fields[state.focus] ?? [];
  const short = fields.flatMap((lines) => (lines === focused ? lines : lines.slice(0, 1)));
  return [
    [...head, ...fields.flat(), ...preview, ...foot],
    [...head, ...fields.flat(), ...foot],
    [...fields.flat(), ...foot],
    [...short, ...foot],
    short,
    focused,
    focused.slice(0, 1),
  ];
}

function confirmLayouts({ values }: FormState, face: FormFace, columns: number): string[][] {
  const head = [face.paint.bold(face.title), ''];
  const answers = columns < 60 ? 'y/n' : 'y = yes, n = no, back to the form';
  const question = ['', `${face.paint.bold(face.question)}  ${answers}`];
  const summary = face.summarize(values, columns);
  const preview = [...face.drawPreview(values, columns), ''];
  return [[...head, ...preview, ...summary, ...question], [...summary, ...question], question];
}

function drawField(
  field: InputName,
  state: FormState,
  report: FormReport,
  face: FormFace,
  columns: number,
): string[] {
  const { paint } = face;
  const isFocused = field === focusedField(state);
  const written = state.values[field] ?? '';
  const label = `${isFocused ? '›' : ' '} ${(face.labels[field] ?? field).padEnd(labelWidth - 2)}`;
  const value = isFocused
    ? drawInput(written, state.cursor, columns - labelWidth - 1, face)
    : cut(toVisible(written), columns - labelWidth - 1, face.widthOf);
  const { problem, note = '' } = report[field] ?? {};
  const isShown = problem !== undefined && (state.visited.has(field) || written !== '');
  const remark = isShown
    ? paint.warn(cut(`! ${toVisible(problem ?? '')}`, columns - labelWidth - 1, face.widthOf))
    : paint.dim(cut(toVisible(note), columns - labelWidth - 1, face.widthOf));
  return [
    `${isFocused ? paint.accent(label) : paint.dim(label)}${value}`,
    `${' '.repeat(labelWidth)}${remark}`,
  ];
}

/** The part of a text around the cursor that fits into one line. */
function drawInput(text: string, cursor: number, width: number, { paint, widthOf }: FormFace): string {
  const characters = [...charactersOf(text).map(toVisible), ' '];
  let from = cursor;
  let used = widthOf(characters[cursor] ?? ' ');
  while (from > 0 && used + widthOf(characters[from - 1] ?? '') <= width) {
    from -= 1;
    used += widthOf(characters[from] ?? '');
  }
  let to = cursor + 1;
  while (to < characters.length && used + widthOf(characters[to] ?? '') <= width) {
    used += widthOf(characters[to] ?? '');
    to += 1;
  }
  const under = characters[cursor] ?? ' ';
  return (
    characters.slice(from, cursor).join('') + paint.cursor(under) + characters.slice(cursor + 1, to).join('')
  );
}

function cut(text: string, width: number, widthOf: FormFace['widthOf']): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const character of charactersOf(text)) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

function keysLine(columns: number): string {
  const keys = 'Enter: next · Tab and arrows move · Ctrl+C: cancel';
  return keys.length <= columns ? keys : 'Enter: next · Ctrl+C: cancel';
}
