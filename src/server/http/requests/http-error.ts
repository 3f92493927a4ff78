import type { KitCode } from './kit-code.ts';

/**
 * An error answer. Throw it anywhere in a handler: the pipeline turns it into a reply in one place. `Code` is a code of the kit,
 * unless the codes of an API are given.
 */
export class HttpError<Code extends string = KitCode> extends Error {
  /**
   * @param status  an HTTP status from 400 to 599
   * @param code    the machine-readable code of the body, upper case with underscores
   * @param message one sentence for people; never contains anything from the request
   * @param headers flat list of further headers: name, value, name, value
   */
  constructor(
    readonly status: number,
    readonly code: NoInfer<Code>,
    message: string,
    readonly headers: readonly string[] = [],
  ) {
    // It becomes an answer and is never logged, and collecting the stack trace would be most of its cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'HttpError';
  }
}
