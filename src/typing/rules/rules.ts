/** The rules that a session may choose, under the names of the wire; the first value of each is the default. */
export const ruleValues = {
  /** What a space does before the end of a word that was begun: it is a wrong keystroke, or ends the word. */
  early_space: ['error', 'skip'],
  /** `letter`: a wrong key counts but does not enter the word. `word`: no space ends a wrong word. */
  stop_on: ['none', 'letter', 'word'],
  /** `free` and `word` delete back to the beginning of the word, never further; `none` deletes nothing. */
  backspace: ['free', 'word', 'none'],
} as const;

export type Rules = { readonly [N in keyof typeof ruleValues]: (typeof ruleValues)[N][number] };

export const defaultRules: Rules = { early_space: 'error', stop_on: 'none', backspace: 'free' };

/** The keys that type no visible character; the `char` of a request can be neither. */
export const spaceKey = ' ';
export const backspaceKey = '\b';

/** Why an input is refused; nothing has changed. */
export interface Problem {
  readonly code: 'ROUND_NOT_STARTED' | 'ROUND_CHANGED' | 'INVALID_REQUEST';
  /** One sentence for people that contains nothing that the client sent. */
  readonly message: string;
}

export function newProblem(code: Problem['code'], message: string): { readonly problem: Problem } {
  return { problem: { code, message } };
}
