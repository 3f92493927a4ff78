import type { InputEvent } from '../../src/contract/request-types.ts';

const chance = (share: number) => Math.random() < share;
const seekTime = () => 40 + Math.floor(Math.random() * 360);

/** The numbered inputs of a typist who makes mistakes, notices most of them, and now and then presses space too early. */
export function planTyping(words: readonly string[]): InputEvent[] {
  const events: InputEvent[] = [];
  const seq = () => events.length + 1;
  const key = (char: string) =>
    events.push({ type: 'keystroke', char, seek_time_ms: seekTime(), seq: seq() });
  const space = () => events.push({ type: 'space', seek_time_ms: seekTime(), seq: seq() });
  const backspace = () => events.push({ type: 'backspace', seq: seq() });
  for (const [at, word] of words.entries()) {
    for (const [position, letter] of [...word].entries()) {
      const isFirst = at === 0 && position === 0;
      if (!isFirst && chance(0.01)) {
        space();
        backspace();
      }
      if (!isFirst && chance(0.04)) {
        key(letter === 'x' ? 'y' : 'x');
        if (chance(0.2)) continue;
        backspace();
      }
      key(letter);
    }
    space();
  }
  return events;
}
