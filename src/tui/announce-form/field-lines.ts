import { toVisible } from '../../kit/visible-text.ts';
import { type FieldReport, type FormField, type FormState, moreLine } from './form-state.ts';
import { charactersOf } from './line-input.ts';

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

/** What the lines of one field are drawn with. */
export interface FieldFace {
  readonly paint: FormPaint;
  /** Columns that a text takes. */
  readonly widthOf: (text: string) => number;
  readonly label: string;
  readonly labelWidth: number;
  /** Columns of the whole line. */
  readonly columns: number;
  /** Rows that what is said about it may take, where the screen has room for them. Default: one, or two for a problem in focus. */
  readonly mostRows?: number | undefined;
}

/** A field: its line, and what is to be said about it below. */
export function drawField(
  { name, choices }: FormField,
  state: FormState,
  { problem, note = '' }: FieldReport,
  face: FieldFace,
): string[] {
  const { paint, widthOf, columns, labelWidth, mostRows } = face;
  const room = columns - labelWidth - 1;
  const isFocused = name === state.focus;
  const written = state.values[name] ?? '';
  const value = !isFocused
    ? cut(toVisible(written), room, widthOf)
    : choices === undefined
      ? drawText(written, state, room, face)
      : drawChoices(choices, written, face, room);
  const isShown = problem !== undefined && (state.visited.has(name) || written !== '');
  const remarks = isShown
    ? toRows(toVisible(problem ?? ''), room - 2, mostRows ?? (isFocused ? 2 : 1), widthOf).map((row, at) =>
        paint.warn(`${at === 0 ? '!' : ' '} ${row}`),
      )
    : toRows(toVisible(note), room, mostRows ?? 1, widthOf).map((row) => paint.dim(row));
  return [
    `${drawLabel(isFocused, face)}${value}`,
    ...remarks.map((remark) => `${' '.repeat(labelWidth)}${remark}`),
  ];
}

/** A text in so many rows at most, the last one cut; an empty one is a row, too. A spelling in quotes stays in one row, as it is to be typed. */
function toRows(text: string, width: number, most: number, widthOf: FieldFace['widthOf']): string[] {
  const rows: string[] = [];
  // What nobody would see is not looked at; a row more than fits, so that the last one is seen to be cut.
  for (const [word] of text.slice(0, (most + 1) * width).matchAll(/(?:"[^"]*"|[^\s"])+|"\S*/g)) {
    const row = rows.at(-1);
    const longer = row === undefined ? word : `${row} ${word}`;
    const isNext = row === undefined || (widthOf(longer) > width && rows.length < most);
    if (isNext) rows.push(word);
    else rows[rows.length - 1] = longer;
  }
  return (rows.length === 0 ? [''] : rows).map((row) => cut(row, width, widthOf));
}

/** The line that stands for the extra fields, with what they say so far. */
export function drawMore(state: FormState, summary: string, face: FieldFace): string[] {
  const { paint, widthOf, columns, labelWidth } = face;
  const isFocused = state.focus === moreLine;
  const room = columns - labelWidth - 1;
  const value = cut(toVisible(summary), room, widthOf);
  const note = cut(isFocused ? 'Space asks for these too; Enter goes on without' : '', room, widthOf);
  return [
    `${drawLabel(isFocused, face)}${isFocused ? value : paint.dim(value)}`,
    `${' '.repeat(labelWidth)}${paint.dim(note)}`,
  ];
}

function drawLabel(isFocused: boolean, { paint, widthOf, label, labelWidth }: FieldFace): string {
  const shown = cut(label, labelWidth - 3, widthOf);
  const line = `${isFocused ? '›' : ' '} ${shown}${' '.repeat(Math.max(1, labelWidth - 2 - widthOf(shown)))}`;
  return isFocused ? paint.accent(line) : paint.dim(line);
}

/** All choices, the one that is made between marks; only that one where there is no room. */
function drawChoices(
  choices: readonly string[],
  chosen: string,
  { paint, widthOf }: FieldFace,
  room: number,
): string {
  const made = `‹${toVisible(chosen)}›`;
  const all = choices.map((choice) => (choice === chosen ? made : ` ${choice} `));
  const isOne = choices.includes(chosen);
  if (!isOne || widthOf(all.join(' ')) > room) return paint.bold(cut(made, room, widthOf));
  return all.map((text) => (text === made ? paint.bold(text) : paint.dim(text))).join(' ');
}

/** All of it marked, or the part around the cursor. */
function drawText(text: string, { isMarked, cursor }: FormState, room: number, face: FieldFace): string {
  const shown = toVisible(text);
  return isMarked && face.widthOf(shown) <= room
    ? face.paint.cursor(shown)
    : drawInput(text, cursor, room, face);
}

/** The part of a text around the cursor that fits into one line. */
function drawInput(text: string, cursor: number, width: number, { paint, widthOf }: FieldFace): string {
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

function cut(text: string, width: number, widthOf: FieldFace['widthOf']): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const character of charactersOf(text)) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
