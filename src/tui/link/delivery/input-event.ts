import type { InputEvent } from '../../../contract/request-types.ts';
import type { Input } from '../../round/round.ts';

/** An input as the API takes it. */
export function toEvent(input: Input): InputEvent {
  if (input.type === 'backspace') return { type: 'backspace', seq: input.seq };
  const timed = { seek_time_ms: input.seek, seq: input.seq };
  return input.type === 'space'
    ? { type: 'space', ...timed }
    : { type: 'keystroke', char: input.char, ...timed };
}
