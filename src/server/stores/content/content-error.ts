import type { FileProblem } from './json-file.ts';

/** The content cannot be read or written; nothing was changed. The message is a sentence for the editor. */
export class ContentError extends Error {
  constructor(
    message: string,
    /** The file, and what is wrong in it. */
    readonly file?: string,
    readonly problems: readonly FileProblem[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ContentError';
  }
}

/** A change would make a file larger than it may be; nothing was changed. */
export class ContentTooLargeError extends ContentError {}

/** The first problem of a file, as a sentence without a full stop. `hint`: where to find the others. */
export function fileProblemSentence(path: string, problems: readonly FileProblem[], hint = ''): string {
  const [first] = problems;
  const line = first?.line === undefined ? '' : `:${first.line}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more${hint})` : '';
  return `${path}${line}: ${first?.path ? `${first.path}: ` : ''}${first?.message}${more}`;
}
