import { widthOf } from '../../kit/terminal-text.ts';
import { qwerty } from '../../typing/letters/layout.ts';
import type { Catalog } from '../link/answers.ts';
import type { Look } from '../look/look.ts';
import { fingerNames } from '../progress/figures.ts';
import type { RoundSetup } from '../round/round-setup.ts';

/** What of a layout is drawn. */
export interface DrawnLayout {
  /** Unshifted characters: top, home, bottom and number row. */
  readonly rows: readonly (readonly string[])[];
  /** Character to finger. */
  readonly fingers: Readonly<Record<string, number>>;
}

/** The layout that a round is typed on; undefined if it is not known. */
export function drawnLayout(
  catalog: Catalog | undefined,
  { layout: id }: Pick<RoundSetup, 'layout'>,
): DrawnLayout | undefined {
  if (id === qwerty.id) return qwerty;
  const { rows, fingers } = catalog?.layouts.find((layout) => layout.id === id) ?? {};
  return rows === undefined || fingers === undefined ? undefined : { rows, fingers };
}

/** Rows of the drawing without its number row. */
export const keyboardHeight = 5;

/** Each row begins further to the right than the one above, as on most keyboards. */
const stagger = 2;
/** Columns of a key with its brackets. */
const keyWidth = 3;
/** ISO keyboards have a key beside the left Shift: their bottom row begins further to the left. */
const isoBottomKeys = 11;

/**
 * The keyboard with the next key in brackets, and the finger that it belongs to; ' ' is the space bar.
 *
 * @param hasNumbers whether there is room for the number row, too
 */
export function drawKeyboard(look: Look, layout: DrawnLayout, next: string, hasNumbers: boolean): string[] {
  const [top = [], home = [], bottom = [], numbers = []] = layout.rows;
  const pressed = baseKey(layout, next);
  const draw = (keys: readonly string[], indent: number) =>
    ' '.repeat(indent) + keys.map((name) => drawKey(look, name, name === pressed)).join('');
  const bottomIndent = bottom.length >= isoBottomKeys ? stagger * 2 - 1 : stagger * 3;
  const bar = look.signs.unfilled.repeat(12);
  return [
    ...(hasNumbers ? [draw(numbers, 0)] : []),
    draw(top, stagger),
    draw(home, stagger * 2),
    draw(bottom, bottomIndent),
    `${' '.repeat(12)}${next === ' ' ? look.paint('accent', `[${bar}]`) : ` ${bar} `}`,
    look.paint('faint', `${' '.repeat(10)}${fingerText(layout, next, pressed)}`.trimEnd()),
  ];
}

/** Columns of the drawing of a layout. */
export function keyboardWidth({ rows }: DrawnLayout): number {
  return stagger * 3 + Math.max(0, ...rows.map((keys) => keys.length)) * keyWidth;
}

/** The key of a character: its own, or that of its small letter. */
function baseKey({ rows }: DrawnLayout, next: string): string {
  return rows.some((keys) => keys.includes(next)) ? next : next.toLowerCase();
}

function drawKey({ paint }: Look, name: string, isNext: boolean): string {
  const gap = widthOf(name) > 1 ? '' : ' ';
  return isNext ? paint('accent', `[${name}${gap === '' ? '' : ']'}`) : ` ${name}${gap}`;
}

function fingerText({ fingers }: DrawnLayout, next: string, key: string): string {
  if (next === ' ') return 'either thumb';
  const finger = Object.hasOwn(fingers, key) ? fingers[key] : undefined;
  if (finger === undefined) return '';
  return `${fingerNames[finger] ?? 'thumb'}${finger === 4 || finger === 5 ? '' : ' finger'}${key === next ? '' : ', with Shift'}`;
}
