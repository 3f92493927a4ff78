/** A line of text that is being written. */
export interface LineInput {
  readonly text: string;
  /** Characters before the cursor, as a person counts them. */
  readonly cursor: number;
}

/** A key that changes a line, or moves in it. */
export type LineEvent =
  | { readonly type: 'insert'; readonly text: string }
  | { readonly type: 'erase' | 'erase-word' | 'clear' | 'left' | 'right' | 'home' | 'end' };

/** What a key does to a line. */
export function reduceText(line: LineInput, event: LineEvent): LineInput {
  const characters = charactersOf(line.text);
  const before = characters.slice(0, line.cursor).join('');
  const after = characters.slice(line.cursor).join('');
  switch (event.type) {
    case 'insert':
      return joined(before + event.text, after);
    case 'erase':
      return joined(characters.slice(0, Math.max(0, line.cursor - 1)).join(''), after);
    case 'erase-word':
      return joined(before.replace(/\S*\s*$/u, ''), after);
    case 'clear':
      return joined('', '');
    case 'left':
      return { ...line, cursor: Math.max(0, line.cursor - 1) };
    case 'right':
      return { ...line, cursor: Math.min(characters.length, line.cursor + 1) };
    case 'home':
      return { ...line, cursor: 0 };
    case 'end':
      return { ...line, cursor: characters.length };
  }
}

function joined(before: string, after: string): LineInput {
  return { text: before + after, cursor: charactersOf(before).length };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters as a person counts them: one press of Backspace takes one away. */
export function charactersOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
