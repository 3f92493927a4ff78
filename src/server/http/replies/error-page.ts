import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { parseWeights } from './accept-encoding.ts';
import { cacheControl, type ErrorFacts, errorReply, type Refusal } from './error-reply.ts';
import type { Reply } from './reply.ts';

/** An error as a page for browsers that open a page, as JSON for everything else. `isPage`: this path is a page. */
export function errorForm(facts: ErrorFacts, isPage: boolean, accept: string | undefined): Reply {
  return isPage && prefersHtml(accept) ? errorPage(facts) : errorReply(facts);
}

const prepared = new WeakMap<Refusal, { readonly json: Reply; readonly page: Reply }>();

/** The same, made once for each refusal: strangers cause as many refusals as answers, so one must not cost more. */
export function refusalForm(refusal: Refusal, isPage: boolean, accept: string | undefined): Reply {
  let forms = prepared.get(refusal);
  if (forms === undefined) {
    forms = {
      json: { ...errorReply(refusal), isPrepared: true },
      page: { ...errorPage(refusal), isPrepared: true },
    };
    prepared.set(refusal, forms);
  }
  return isPage && prefersHtml(accept) ? forms.page : forms.json;
}

const pageStyle = 'main{font:1.1em/1.5 system-ui,sans-serif;max-width:34em;margin:15vh auto;padding:0 1.5em}';
const pageStyleHash = createHash('sha256').update(pageStyle).digest('base64');
const pagePolicy = `default-src 'none'; style-src 'sha256-${pageStyleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A page that needs no other request and contains nothing from this one. */
export function errorPage({ status, code, message, headers }: ErrorFacts): Reply {
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

/** Whether the client lists HTML explicitly, as browsers do when somebody opens a page; a wildcard alone does not count. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = parseWeights(accept);
  const html = weights.get('text/html') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}
