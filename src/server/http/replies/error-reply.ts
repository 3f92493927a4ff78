import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { KitCode } from '../requests/kit-code.ts';
import { parseWeights } from './accept-encoding.ts';
import { type Reply, toJsonReply } from './reply.ts';

/** The contents of an error answer; an HttpError has them. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  /** One sentence for people that contains nothing from the request. */
  readonly message: string;
  /** Flat list of further headers. */
  readonly headers: readonly string[];
}

/** The documented error: `{"error": sentence, "code": CODE}`, not cacheable unless the error says otherwise. */
export function toErrorReply({ status, code, message, headers }: ErrorFacts): Reply {
  const body = JSON.stringify({ error: message, code });
  return {
    status,
    headers: ['Content-Type', 'application/json', ...cacheControl(headers), ...headers],
    body,
  };
}

const pageStyle = 'main{font:1.1em/1.5 system-ui,sans-serif;max-width:34em;margin:15vh auto;padding:0 1.5em}';
const pageStyleHash = createHash('sha256').update(pageStyle).digest('base64');
const pagePolicy = `default-src 'none'; style-src 'sha256-${pageStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The same for people: a page that needs no other request and contains nothing from this one. */
export function toHtmlErrorReply({ status, code, message, headers }: ErrorFacts): Reply {
  const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`;
  const body = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${title}</title><style>${pageStyle}</style><main><h1>${title}</h1><p>${message}</p><p><code>${code}</code> · <a href="/">Start page</a></p></main></html>\n`,
  ].join('');
  const pageHeaders = [
    ...['Content-Type', 'text/html; charset=utf-8'],
    ...['Content-Security-Policy', pagePolicy],
  ];
  return { status, headers: [...pageHeaders, ...cacheControl(headers), ...headers], body, vary: 'Accept' };
}

function cacheControl(headers: readonly string[]): readonly string[] {
  return headers.includes('Cache-Control') ? [] : ['Cache-Control', 'no-store'];
}

/** Whether the client lists HTML explicitly, as browsers do when somebody opens a page; a wildcard alone does not count. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = parseWeights(accept);
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}

/** For errors that occur before there is a request; written to the bare socket. */
export function toRawErrorAnswer(
  status: number,
  code: KitCode,
  message: string,
  headers: readonly string[] = [],
): string {
  const { body } = toJsonReply(status, { error: message, code });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body as string)}`,
    'Connection: close',
    ...toLines(headers),
    '',
    body,
  ].join('\r\n');
}

function toLines(headers: readonly string[]): string[] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
}
