import type { IncomingMessage } from 'node:http';
import type { Pipeline } from '../http/pipeline.ts';

/** Looks for changes of the content before each answer that depends on it, unless the last look was a moment ago. */
export function lookBefore(answer: Pipeline, lookIfDue: () => Promise<void> | undefined): Pipeline {
  return (request, observation) => {
    const looking = dependsOnContent(request) ? lookIfDue() : undefined;
    return looking === undefined
      ? answer(request, observation)
      : looking.then(() => answer(request, observation));
  };
}

/** A typist's session does not, except that the allow-list decides whether a page may read the answer. */
function dependsOnContent({ url, headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || url?.startsWith('/api/sessions') !== true;
}
