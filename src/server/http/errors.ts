import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { parseWeights } from './accept-encoding.ts';
import type { Reply } from './reply.ts';

/**
 * An error answer. Throw it anywhere in a handler: the pipeline turns it into a reply in one place. `Code` is
 * a code of the kit, unless another set of codes is passed.
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
  | 'REQUEST_TIMEOUT'
  | 'NOT_IMPLEMENTED'
  | 'HTTP_VERSION_NOT_SUPPORTED';

export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  /** One sentence for people that contains nothing from the request. */
  readonly message: string;
  /** Flat list of further headers. */
  readonly headers: readonly string[];
  /** Whether its answer closes the connection. Default: false. */
  readonly isLast?: boolean;
}

/** An error that is known before any handler is called. */
export type Refusal = ErrorFacts & { readonly code: KitCode };

const uncached = ['Cache-Control', 'no-store'];

/** The documented error: `{"error": sentence, "code": CODE}`. */
export function errorReply({ status, code, message, headers, isLast }: ErrorFacts): Reply {
  const all = ['Content-Type', 'application/json', ...uncached, ...headers];
  return { status, headers: all, body: JSON.stringify({ error: message, code }), isLast };
}

const pageStyle = 'main{font:1.1em/1.5 system-ui,sans-serif;max-width:34em;margin:15vh auto;padding:0 1.5em}';
const pagePolicy = `default-src 'none'; style-src ${hashSource(pageStyle)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The source of an inline style or script in a `Content-Security-Policy`. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A page that needs no other request and contains nothing from this one. */
export function errorPage({ status, code, message, headers, isLast }: ErrorFacts, home: string): Reply {
  const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`;
  const body = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${title}</title><style>${pageStyle}</style><main><h1>${title}</h1><p>${message}</p><p><code>${code}</code> · <a href="${home}">Start page</a></p></main></html>\n`,
  ].join('');
  const type = ['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', pagePolicy];
  const all = [...type, ...uncached, ...headers];
  return { status, headers: all, body, vary: 'Accept', isLast };
}

/** Whether the client lists HTML explicitly, as a browser does for a page; a wildcard does not count. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = parseWeights(accept);
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}
