/** What this kit itself refuses requests with; a server has further codes of its own. */
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
