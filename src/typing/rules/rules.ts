/** What a session may ask for; the first value of each rule is the default. */
export const ruleValues = {
  /** A space in a word that is begun but not covered: a wrong keystroke, or the end of the word. */
  earlySpace: ['error', 'skip'],
  /**
   * `letter`: a wrong key counts but does not enter the word. `word`: a space after a word with mistakes does nothing.
   */
  stopOn: ['none', 'letter', 'word'],
  /** `free` and `word` both reach back to the beginning of the current word, never further; `none`: not at all. */
  backspace: ['free', 'word', 'none'],
} as const;

export interface Rules {
  readonly earlySpace: (typeof ruleValues.earlySpace)[number];
  readonly stopOn: (typeof ruleValues.stopOn)[number];
  readonly backspace: (typeof ruleValues.backspace)[number];
}

/** The rules of a client that asks for none. */
export const defaultRules: Rules = { earlySpace: 'error', stopOn: 'none', backspace: 'free' };

export function isDefaultRules({ earlySpace, stopOn, backspace }: Rules): boolean {
  return (
    earlySpace === defaultRules.earlySpace &&
    stopOn === defaultRules.stopOn &&
    backspace === defaultRules.backspace
  );
}
