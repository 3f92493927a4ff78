import { errorForm, refusalForm } from '../replies/error-page.ts';
import type { Refusal } from '../replies/error-reply.ts';
import * as refusals from '../replies/refusals.ts';
import type { FinishedReply, Reply } from '../replies/reply.ts';
import { type Context, requestIdOf } from '../requests/context.ts';
import { HttpError } from '../requests/http-error.ts';
import { finishReply } from './finish-reply.ts';
import type { RouteGroup } from './router.ts';

export interface ErrorAnswersOptions {
  /** Whether browsers that ask for HTML get the errors of this path as a page. */
  readonly isPagePath: (path: string) => boolean;
  /** Called with every error that is not an HttpError: a bug or failure of ours, which the answer does not describe. */
  readonly onFault: (fault: unknown, context: Context) => void;
}

/** Makes error answers. */
export interface ErrorAnswers {
  /** The reply for what a handler threw. */
  recover(error: unknown, context: Context): Reply;
  refuse(refusal: Refusal, context: Context, group?: RouteGroup, allowed?: string): FinishedReply;
}

export function createErrorAnswers({ isPagePath, onFault }: ErrorAnswersOptions): ErrorAnswers {
  return {
    recover(error, context) {
      const isPage = isPagePath(context.path);
      const { accept } = context.head;
      if (error instanceof HttpError) return identified(errorForm(error, isPage, accept), context);
      onFault(error, context);
      return identified(refusalForm(refusals.internalError, isPage, accept), context);
    },
    refuse(refusal, context, group, allowed) {
      const isPage = context.head.accept !== undefined && isPagePath(context.path);
      const form = refusalForm(refusal, isPage, context.head.accept);
      // The id is useful only if requests are logged: otherwise a refusal leaves nothing to look up.
      const reply = context.id === undefined ? form : identified(form, context);
      const finished = finishReply(reply, group, allowed, context.limitHeaders);
      return refusal.isLast ? asLast(finished) : finished;
    },
  };
}

function identified({ status, headers, body, vary }: Reply, context: Context): Reply {
  return {
    status,
    headers: [...headers, 'Request-Id', requestIdOf(context)],
    ...(body === undefined ? {} : { body }),
    ...(vary === undefined ? {} : { vary }),
  };
}

/** The same answer, but it closes the connection. */
export function asLast(reply: FinishedReply): FinishedReply {
  return { ...reply, isLast: true };
}
