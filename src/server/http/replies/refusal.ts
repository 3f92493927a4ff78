import { type ErrorFacts, prefersHtml, toErrorReply, toHtmlErrorReply } from './error-reply.ts';
import type { Reply } from './reply.ts';

/**
 * An error answer prepared in both forms. Strangers can cause as many refusals as answers, so a refusal must not cost
 * more: no error object, no stack trace, no building of a body.
 */
export interface Refusal {
  readonly json: Reply;
  readonly page: Reply;
  /** Whether it closes the connection. */
  readonly isLast: boolean;
}

export function prepareRefusal(facts: ErrorFacts, isLast = false): Refusal {
  return {
    json: { ...toErrorReply(facts), isPrepared: true },
    page: { ...toHtmlErrorReply(facts), isPrepared: true },
    isLast,
  };
}

/** The form for a request; `isPage`: browsers get the errors of this path as a page. */
export function toForm({ json, page }: Refusal, isPage: boolean, accept: string | undefined): Reply {
  return isPage && prefersHtml(accept) ? page : json;
}

/** The same for an error that a handler has chosen. */
export function toErrorForm(facts: ErrorFacts, isPage: boolean, accept: string | undefined): Reply {
  return isPage && prefersHtml(accept) ? toHtmlErrorReply(facts) : toErrorReply(facts);
}
