/** The result of one check. */
export interface Finding {
  /** What it is about, such as `content` or `store`. */
  readonly about: string;
  /** `problem`: a server does not start, or does not work. `note`: allowed, but perhaps not intended. */
  readonly state: 'ok' | 'note' | 'problem';
  /** One sentence. */
  readonly message: string;
  /** How to fix it, as a sentence. */
  readonly fix?: string;
}

export const ok = (about: string, message: string): Finding => ({ about, state: 'ok', message });

export const note = (about: string, message: string, fix?: string): Finding => ({
  ...{ about, state: 'note', message },
  ...(fix === undefined ? {} : { fix }),
});

export const problem = (about: string, message: string, fix?: string): Finding => ({
  ...note(about, message, fix),
  state: 'problem',
});

/** The reason of a failure as a sentence. */
export function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}
