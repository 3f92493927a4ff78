/** What a session practises. */
export type Mode =
  | { readonly type: 'words'; readonly count: number }
  | { readonly type: 'time'; readonly seconds: number }
  | { readonly type: 'text'; readonly text: string; readonly title?: string }
  | { readonly type: 'quote'; readonly length: 'short' | 'medium' | 'long' | 'any' }
  | { readonly type: 'code'; readonly language: string }
  | DrillMode
  | { readonly type: 'guided' };

export interface DrillMode {
  readonly type: 'drill';
  readonly on: 'letters' | 'bigrams' | 'words';
  /** The words to drill, in place of those that the player's history suggests. */
  readonly text?: string;
}

/** The default mode. */
export const defaultMode: Mode = { type: 'words', count: 30 };

/** The name under which rounds of a mode are counted, such as `words-30` or `code-typescript`. */
export function toModeName(mode: Mode): string {
  switch (mode.type) {
    case 'words':
      return `words-${mode.count}`;
    case 'time':
      return `time-${mode.seconds}`;
    case 'code':
      return `code-${mode.language}`;
    default:
      return mode.type;
  }
}
