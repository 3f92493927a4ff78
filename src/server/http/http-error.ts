/** An answer that is an error. Thrown anywhere below the listener, which turns it into a reply in one place. */
export class HttpError extends Error {
  /**
   * @param status  an HTTP status from 400 to 599
   * @param code    the machine-readable code of the body, upper case with underscores
   * @param message one sentence for people; never holds anything that the request sent
   * @param headers flat list of further headers: name, value, name, value
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: readonly string[] = [],
  ) {
    super(message);
    this.name = 'HttpError';
  }
}
