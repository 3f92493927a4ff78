import type { KitCode } from './kit-code.ts';

/**
 * An answer that is an error, with a code of the kit unless the codes of an API are named. Thrown anywhere below the listener, which turns it into a reply in one place.
 */
export class HttpError<Code extends string = KitCode> extends Error {
  /**
   * @param status  an HTTP status from 400 to 599
   * @param code    the machine-readable code of the body, upper case with underscores
   * @param message one sentence for people; never holds anything that the request sent
   * @param headers flat list of further headers: name, value, name, value
   */
  constructor(
    readonly status: number,
    readonly code: NoInfer<Code>,
    message: string,
    readonly headers: readonly string[] = [],
  ) {
    // It becomes an answer and never a line of the log: collecting a stack would be most of its cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'HttpError';
  }
}
