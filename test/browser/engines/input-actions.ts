import type { Key } from './engine.ts';

/** The keys of WebDriver that have no character of their own. */
const codes = { Tab: '\uE004', Shift: '\uE008', Enter: '\uE006', Space: ' ' } as const;

/** Pressed one after another and released in reverse, as `actions` of either WebDriver protocol. */
export function toKeyActions(key: Key): readonly object[] {
  const values = key.split('+').map((name) => codes[name as keyof typeof codes]);
  const down = values.map((value) => ({ type: 'keyDown', value }));
  const up = values.toReversed().map((value) => ({ type: 'keyUp', value }));
  return [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }];
}

/** A click at a point of the window, as `actions` of either WebDriver protocol. */
export function toClickActions(x: number, y: number): readonly object[] {
  return [
    {
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    },
  ];
}
