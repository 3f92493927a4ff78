import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { parseWeights } from './accept-encoding.ts';
import { type Reply, textOfBytes } from './reply.ts';

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
  | 'PRECONDITION_FAILED'
  | 'REQUEST_TIMEOUT'
  | 'NOT_IMPLEMENTED'
  | 'HTTP_VERSION_NOT_SUPPORTED';

/** The contents of an error answer; an HttpError has them. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  /** One sentence for people that contains nothing from the request. */
  readonly message: string;
  /** Flat list of further headers. */
  readonly headers: readonly string[];
}

/** An error that is known before any handler is called. */
export interface Refusal extends ErrorFacts {
  readonly code: KitCode;
  /** Whether its answer closes the connection. */
  readonly isLast: boolean;
}

/** The documented error: `{"error": sentence, "code": CODE}`, not cached unless the error says otherwise. */
export function errorReply({ status, code, message, headers }: ErrorFacts): Reply {
  const body = JSON.stringify({ error: message, code });
  return {
    status,
    headers: ['Content-Type', 'application/json', ...cacheControl(headers), ...headers],
    body,
  };
}

/** Errors are not cached, unless their headers say otherwise. */
function cacheControl(headers: readonly string[]): readonly string[] {
  return headers.includes('Cache-Control') ? [] : ['Cache-Control', 'no-store'];
}

/** Errors in the form that a client prefers: a page for browsers that open one, JSON for everybody else. */
export interface ErrorForms {
  /** `isPage`: the path is that of a page. */
  ofError(facts: ErrorFacts, isPage: boolean, accept: string | undefined): Reply;
  /** Prepared once for each refusal: a client that is refused must not cost more than one that is served. */
  ofRefusal(refusal: Refusal, isPage: boolean, accept: string | undefined): Reply;
}

/** @param home path of the start page */
export function createErrorForms(home: string): ErrorForms {
  const prepared = new WeakMap<Refusal, { readonly json: Reply; readonly page: Reply }>();
  const prepare = (refusal: Refusal) => {
    const forms = { json: asPrepared(errorReply(refusal)), page: asPrepared(errorPage(refusal, home)) };
    prepared.set(refusal, forms);
    return forms;
  };
  return {
    ofError: (facts, isPage, accept) =>
      isPage && prefersHtml(accept) ? errorPage(facts, home) : errorReply(facts),
    ofRefusal(refusal, isPage, accept) {
      const { json, page } = prepared.get(refusal) ?? prepare(refusal);
      return isPage && prefersHtml(accept) ? page : json;
    },
  };
}

function asPrepared(reply: Reply): Reply {
  return { ...reply, ...textOfBytes(Buffer.from(reply.body ?? '')), isPrepared: true };
}

const pageStyle = 'main{font:1.1em/1.5 system-ui,sans-serif;max-width:34em;margin:15vh auto;padding:0 1.5em}';
const pageStyleHash = createHash('sha256').update(pageStyle).digest('base64');
const pagePolicy = `default-src 'none'; style-src 'sha256-${pageStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A page that needs no other request and contains nothing from this one. */
export function errorPage({ status, code, message, headers }: ErrorFacts, home: string): Reply {
  const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`;
  const body = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${title}</title><style>${pageStyle}</style><main><h1>${title}</h1><p>${message}</p><p><code>${code}</code> · <a href="${home}">Start page</a></p></main></html>\n`,
  ].join('');
  const pageHeaders = [
    ...['Content-Type', 'text/html; charset=utf-8'],
    ...['Content-Security-Policy', pagePolicy],
  ];
  return { status, headers: [...pageHeaders, ...cacheControl(headers), ...headers], body, vary: 'Accept' };
}

/** Whether the client lists HTML explicitly, as a browser does for a page; a wildcard does not count. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = parseWeights(accept);
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}
