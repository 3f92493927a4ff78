import { type ErrorFacts, prefersHtml, toErrorReply, toHtmlErrorReply } from './error-reply.ts';
import type { Reply } from './reply.ts';

/**
 * An error answer made ready in both of its forms. A stranger may ask for as many refusals as for answers, so they must cost
 * no more: no error object, no stack, no body put together.
 */
export interface Refusal {
  readonly json: Reply;
  readonly page: Reply;
  /** Whether the connection closes after it. */
  readonly isLast: boolean;
}

export function prepareRefusal(facts: ErrorFacts, isLast = false): Refusal {
  return {
    json: { ...toErrorReply(facts), isPrepared: true },
    page: { ...toHtmlErrorReply(facts), isPrepared: true },
    isLast,
  };
}

/** The form for a request to a path where a browser gets errors as a page, or to another. */
export function toForm({ json, page }: Refusal, isPage: boolean, accept: string | undefined): Reply {
  return isPage && prefersHtml(accept) ? page : json;
}

/** The same for an error that a handler has chosen. */
export function toErrorForm(facts: ErrorFacts, isPage: boolean, accept: string | undefined): Reply {
  return isPage && prefersHtml(accept) ? toHtmlErrorReply(facts) : toErrorReply(facts);
}
