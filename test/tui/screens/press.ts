import type { Effect } from '../../../src/tui/screens/reaction.ts';
import type { State } from '../../../src/tui/state/state.ts';
import type { Key, KeyName, StampedKey } from '../../../src/tui/terminal/keys.ts';
import { update } from '../../../src/tui/update.ts';

/** Names of keys in angle brackets, everything else typed. */
function keysOf(text: string): Key[] {
  return [...text.matchAll(/<([a-z0-9-]+)>|(.)/g)].map(([, name, char = '']) => {
    if (name !== undefined) return { name: name as KeyName, text: '' };
    return char === ' ' ? { name: 'space', text: '' } : { name: 'character', text: char };
  });
}

/** What keys do, the first at `from` ms, and one every 100 ms. */
export function pressAll(state: State, text: string, from = 0, more: Partial<StampedKey> = {}) {
  const effects: Effect[] = [];
  let current = state;
  for (const [at, key] of keysOf(text).entries()) {
    const time = from + at * 100;
    const stamp = { time, unix: time, measured: true, repeat: false, ...more };
    const reaction = update(current, { type: 'key', key: { ...key, ...stamp } });
    current = reaction.state;
    effects.push(...reaction.effects);
  }
  return { state: current, effects };
}
