import type { Key } from 'ink';
import type { FormEvent } from './form-state.ts';

/** What keys mean in the form. Several keys, or a paste, may arrive together; a line break inside a paste is a blank. */
export function toFormEvents(input: string, key: Key, stage: 'fields' | 'confirm'): (FormEvent | 'enter')[] {
  if (key.ctrl) return toControlEvents(input);
  if (key.escape) return [{ type: 'back' }];
  if (key.return) return ['enter'];
  if (key.tab) return [{ type: key.shift ? 'previous' : 'next' }];
  if (key.upArrow) return [{ type: 'previous' }];
  if (key.downArrow) return [{ type: 'next' }];
  if (key.leftArrow) return [{ type: 'left' }];
  if (key.rightArrow) return [{ type: 'right' }];
  if (key.home) return [{ type: 'home' }];
  if (key.end) return [{ type: 'end' }];
  if (key.backspace || key.delete) return [{ type: 'erase' }];
  if (key.meta) return [];
  return stage === 'confirm' ? toAnswers(input) : toTyping(input);
}

function toControlEvents(input: string): FormEvent[] {
  if (input === 'c') return [{ type: 'leave' }];
  if (input === 'a') return [{ type: 'home' }];
  if (input === 'e') return [{ type: 'end' }];
  if (input === 'u') return [{ type: 'clear' }];
  return input === 'w' ? [{ type: 'erase-word' }] : [];
}

function toAnswers(input: string): FormEvent[] {
  const letter = input.trim().toLowerCase();
  if (letter === 'y') return [{ type: 'yes' }];
  return letter === 'n' ? [{ type: 'no' }] : [];
}

/** Text up to a control character, then that key, and so on. */
function toTyping(input: string): (FormEvent | 'enter')[] {
  const events: (FormEvent | 'enter')[] = [];
  const endsWithEnter = /[\r\n]$/.test(input);
  const typed = input.replace(/[\r\n]+$/, '').replace(/[\r\n]+/g, ' ');
  for (const [piece] of typed.matchAll(/[^\p{Cc}]+|\p{Cc}/gu)) {
    if (piece === '\x7f' || piece === '\b') events.push({ type: 'erase' });
    else if (piece === '\t') events.push({ type: 'next' });
    else if (!/\p{Cc}/u.test(piece)) events.push({ type: 'insert', text: piece });
  }
  return endsWithEnter ? [...events, 'enter'] : events;
}
