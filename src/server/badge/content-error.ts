import type { FileProblem } from './json-lines.ts';

/** The content cannot be read or written. The message is a whole sentence for the editor; nothing was changed. */
export class ContentError extends Error {
  constructor(
    message: string,
    /** The file that is at fault, and what is wrong in it. */
    readonly file?: string,
    readonly problems: readonly FileProblem[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ContentError';
  }
}
