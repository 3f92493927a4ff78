import type { Key } from 'ink';
import type { FormEvent } from './form-state.ts';

/** What keys mean in the form. Several keys, or a paste, may arrive together. */
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

const controls: Readonly<Record<string, FormEvent | 'enter'>> = {
  '\x01': { type: 'home' },
  '\x03': { type: 'leave' },
  '\x05': { type: 'end' },
  '\b': { type: 'erase' },
  '\t': { type: 'next' },
  '\r': 'enter',
  '\n': 'enter',
  '\x15': { type: 'clear' },
  '\x17': { type: 'erase-word' },
  '\x7f': { type: 'erase' },
};

/** Ctrl and a letter is the control character of that letter's place in the alphabet. */
function toControlEvents(input: string): (FormEvent | 'enter')[] {
  const letter = /^[a-z]$/.test(input) ? String.fromCharCode(input.charCodeAt(0) - 96) : input;
  return toTyping(letter);
}

function toAnswers(input: string): FormEvent[] {
  const letter = input.trim().toLowerCase();
  if (letter === 'y') return [{ type: 'yes' }];
  if (letter === 'm') return [{ type: 'more' }];
  return letter === 'n' ? [{ type: 'no' }] : [];
}

/** Text up to a control character, then that key, and so on. A line break with more text behind it was pasted. */
function toTyping(input: string): (FormEvent | 'enter')[] {
  const typed = input.replace(/\r\n/g, '\r').replace(/[\r\n]+(?=[^\p{Cc}])/gu, ' ');
  return [...typed.matchAll(/[^\p{Cc}]+|\p{Cc}/gu)].flatMap(([piece]) => {
    const control = controls[piece];
    if (control !== undefined) return [control];
    return /\p{Cc}/u.test(piece) ? [] : [{ type: 'insert' as const, text: piece }];
  });
}
