import fc from 'fast-check';
import type * as wire from '../../src/contract/session-setup.ts';
import { charactersOf, createKeyReader, type RawEvent } from './naive-statistics.ts';

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

  for (const [at, text] of words.entries()) {
    const word = charactersOf(text);
    let length = 0;
    while (length < word.length) {
      const number = draw();
      const choice = number % 100;
      const detail = Math.floor(number / 100);
      if (choice < 74) {
        const char = word[length] as string;
        if (at === 0 && length === 0) hasStarted = true;
        key(char, number);
        length++;
      } else if (choice < 82) {
        key(String.fromCharCode(97 + (detail % 26)), number);
        if (at === 0 && length === 0 && word[0] === String.fromCharCode(97 + (detail % 26)))
          hasStarted = true;
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

export const anyRules: fc.Arbitrary<wire.Rules> = fc.record({
  early_space: fc.constantFrom('error', 'skip'),
  stop_on: fc.constantFrom('none', 'letter', 'word'),
  backspace: fc.constantFrom('free', 'word', 'none'),
});

/** The events of a typist under any rules, who often ends the words; under some rules a wrong word can never be left. */
export function typeUnderRules(
  words: readonly string[],
  rules: wire.Rules,
  tape: readonly number[],
): RawEvent[] {
  const events: RawEvent[] = [];
  const reader = createKeyReader({ words, rules });
  const press = (event: RawEvent) => {
    events.push(event);
    reader.read(event);
  };
  for (const number of [...tape, ...Array<number>(words.join(' ').length + 1).fill(7000)]) {
    const { word, standing } = reader.transcript;
    const here = standing[word];
    if (here === undefined) break;
    const wanted = charactersOf(words[word] as string)[here.length] ?? '';
    const ms = times[Math.floor(number / 1000) % times.length];
    const timing = ms === undefined ? {} : { seek_time_ms: ms };
    const choice = number % 100;
    const odd = oddCharacters[number % oddCharacters.length] as string;
    if (choice < 72)
      press(wanted === '' ? { type: 'space', ...timing } : { type: 'keystroke', char: wanted, ...timing });
    else if (choice < 84) press({ type: 'backspace' });
    else if (choice < 92) press({ type: 'space', ...timing });
    else if (wanted !== '') press({ type: 'keystroke', char: choice < 95 ? odd : 'e', ...timing });
  }
  return events;
}
