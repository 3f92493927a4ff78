import type { DeskOperationName } from '../../contract/desk-routes.ts';
import type { ContentStore } from '../stores/content/content-store.ts';
import type { PulseCount } from '../stores/pulse.ts';

export type DeskApi = { readonly [N in DeskOperationName]: (request: DeskRequest) => Promise<DeskAnswer> };

export interface DeskParts {
  readonly store: ContentStore;
  /** Counts since that day (`YYYY-MM-DD`, UTC), inclusive. */
  readonly readPulse: (sinceDay: string) => Promise<readonly PulseCount[]>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export interface DeskRequest {
  readonly method: string;
  /** As in the request, without the query. */
  readonly path: string;
  /** Id of the announcement in the path; empty if there is none. */
  readonly id: string;
  readonly query: string;
  /** The JSON object that was sent; an empty one if nothing was. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly ifMatch: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly editor: {
    /** For the log. */
    readonly name: string;
    /** Distinguishes editors with the same name. */
    readonly key: string;
  };
}

export interface DeskAnswer {
  readonly status: 200 | 201;
  readonly body: object;
  /** The revision of the announcements or of the allow-list. */
  readonly revision: string | undefined;
  /** What was changed, for the server's log; undefined: nothing. */
  readonly changed: string | undefined;
}

export function answerOf(body: object, revision?: string, changed?: string): DeskAnswer {
  return { status: 200, body, revision, changed };
}
