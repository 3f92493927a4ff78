import fc from 'fast-check';
import type { RawEvent } from './naive-statistics.ts';

/** A tape of random numbers that decides what a typist does; where it ends, the typist makes no more mistakes. */
export const tapes = fc.array(fc.nat(99_999), { maxLength: 220, size: 'max' });

const times = [undefined, 0, 1, 40, 87, 120, 120, 250, 640, 1500, 4999, 5000, 60_000] as const;
const oddCharacters = ['X', '7', ';', 'é', '漢', '👩‍👩‍👧', 'e\u0301', '\\', '"', '<'] as const;

/** The events of a typist who, driven by the tape, types these words to their end. */
export function typeRandomly(words: readonly string[], tape: readonly number[]): RawEvent[] {
  const events: RawEvent[] = [];
  let next = 0;
  const draw = () => tape[next++] ?? 0;
  const timed = (event: RawEvent, number: number): RawEvent => {
    const ms = times[Math.floor(number / 1000) % times.length];
    return ms === undefined ? event : { ...event, seek_time_ms: ms };
  };
  const key = (char: string, number: number) => events.push(timed({ type: 'keystroke', char }, number));
  let hasStarted = false;

  for (const [at, word] of words.entries()) {
    let length = 0;
    while (length < word.length) {
      const number = draw();
      const choice = number % 100;
      const detail = Math.floor(number / 100);
      if (choice < 74) {
        const char = word.charAt(length);
        if (at === 0 && length === 0) hasStarted = true;
        key(char, number);
        length++;
      } else if (choice < 82) {
        key(String.fromCharCode(97 + (detail % 26)), number);
        if (at === 0 && length === 0 && word.charCodeAt(0) === 97 + (detail % 26)) hasStarted = true;
        length++;
      } else if (choice < 85) {
        key(oddCharacters[detail % oddCharacters.length] as string, number);
        length++;
      } else if (choice < 95) {
        events.push({ type: 'backspace' });
        length = Math.max(0, length - 1);
      } else {
        events.push(timed({ type: 'space' }, number));
        if (length > 0 || hasStarted) length++;
      }
    }
    const extra = draw();
    for (let more = 0; more < (extra % 100 > 90 ? extra % 5 : 0); more++) key('s', extra);
    events.push(timed({ type: 'space' }, extra));
  }
  return events;
}
