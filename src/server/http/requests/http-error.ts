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
    super(message);
    this.name = 'HttpError';
  }
}

/** The error codes of this kit; a server adds its own. */
export type KitCode =
  | 'INVALID_REQUEST'
  | 'INTERNAL_ERROR'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'RATE_LIMITED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'HOST_NOT_ALLOWED'
  | 'REQUEST_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PRECONDITION_FAILED'
  | 'REQUEST_TIMEOUT'
  | 'NOT_IMPLEMENTED'
  | 'HTTP_VERSION_NOT_SUPPORTED';
