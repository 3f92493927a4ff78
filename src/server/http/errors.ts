import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorMeanings } from '../../contract/error-codes.ts';
import { parseWeights } from './accept-encoding.ts';
import { jsonReply, type Reply } from './reply.ts';

/**
 * An error answer. Thrown anywhere in a handler; those known before any handler is called are made once and
 * returned.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  /**
   * @param message one sentence for people; never contains anything from the request
   * @param headers flat list of further headers: name, value, name, value
   * @param status  default: that of the code
   * @param isLast  whether its answer closes the connection
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly headers: readonly string[] = [],
    readonly status: number = errorMeanings[code][0],
    readonly isLast = false,
  ) {
    super(message);
  }
}

/** A 400 `INVALID_REQUEST` with this sentence. */
export const invalid = (message: string) => new HttpError('INVALID_REQUEST', message);

/** The documented error: `{"error": sentence, "code": CODE}`. */
export function errorReply({ status, code, message, headers, isLast }: HttpError): Reply {
  return { ...jsonReply(status, { error: message, code }, headers), isLast };
}

/** In the colours of the other pages. */
const pageStyle =
  'main{font:1.1em/1.5 system-ui,sans-serif;max-width:34em;margin:15vh auto;padding:0 1.5em}' +
  ':root{color-scheme:light dark;background:light-dark(#f7f8fb,#12151c);color:light-dark(#1d2433,#eceff6)}' +
  'a{color:light-dark(#3b4cca,#a5b4ff)}';
const pagePolicy = `default-src 'none'; style-src ${hashSource(pageStyle)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The source of an inline style or script in a `Content-Security-Policy`. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A page that needs no other request and contains nothing from this one. */
export function errorPage({ status, code, message, headers, isLast }: HttpError, home: string): Reply {
  const title = `${status} ${STATUS_CODES[status]}`;
  const body = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${pageStyle}</style><main><h1>${message}</h1><p><code>${status} ${code}</code> · <a href="${home}">Start page</a></p></main></html>\n`,
  ].join('');
  const type = ['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', pagePolicy];
  const all = [...type, 'Cache-Control', 'no-store', ...headers];
  return { status, headers: all, body, vary: 'Accept', isLast };
}

/** Whether the client lists HTML explicitly, as a browser does for a page; a wildcard does not count. */
export function prefersHtml(accept = ''): boolean {
  const weights = parseWeights(accept);
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}
