import { type Layout, qwerty } from '../../typing/letters/layout.ts';
import type { Catalog } from '../link/answers.ts';
import type { Look } from '../look/look.ts';
import { fingerNames } from '../progress/figures.ts';
import type { RoundSetup } from '../round/round-setup.ts';

/** The layout that a round is typed on; undefined if it is not known. */
export function drawnLayout(
  catalog: Catalog | undefined,
  { layout: id }: Pick<RoundSetup, 'layout'>,
): Layout | undefined {
  return id === qwerty.id ? qwerty : catalog?.layouts.find((layout) => layout.id === id);
}

export const keyboardHeight = 6;

/** Each row begins further to the right than the one above, as on most keyboards. */
const stagger = 2;
const keyWidth = 3;
/** ISO keyboards have a key beside the left Shift: their bottom row begins further to the left. */
const isoBottomKeys = 11;

/** The keyboard with the next key in brackets, and the finger that it belongs to; ' ' is the space bar. */
export function drawKeyboard(look: Look, layout: Layout, next: string): string[] {
  const { paint, signs } = look;
  const [top = [], home = [], bottom = [], numbers = []] = layout.rows;
  // The key of a character: its own, or that of its small letter.
  const pressed = layout.rows.some((keys) => keys.includes(next)) ? next : next.toLowerCase();
  const draw = (keys: readonly string[], indent: number) =>
    ' '.repeat(indent) +
    keys.map((name) => (name === pressed ? paint('accent', `[${name}]`) : ` ${name} `)).join('');
  const bar = signs.unfilled.repeat(12);
  return [
    draw(numbers, 0),
    draw(top, stagger),
    draw(home, stagger * 2),
    draw(bottom, bottom.length >= isoBottomKeys ? stagger * 2 - 1 : stagger * 3),
    `${' '.repeat(12)}${next === ' ' ? paint('accent', `[${bar}]`) : ` ${bar} `}`,
    paint('faint', `${' '.repeat(10)}${fingerText(layout, next, pressed)}`.trimEnd()),
  ];
}

export function keyboardWidth({ rows }: Layout): number {
  return stagger * 3 + Math.max(0, ...rows.map((keys) => keys.length)) * keyWidth;
}

function fingerText({ fingers }: Layout, next: string, key: string): string {
  if (next === ' ') return 'either thumb';
  const finger = Object.hasOwn(fingers, key) ? fingers[key] : undefined;
  if (finger === undefined) return '';
  return `${fingerNames[finger] ?? 'thumb'}${finger === 4 || finger === 5 ? '' : ' finger'}${key === next ? '' : ', with Shift'}`;
}
