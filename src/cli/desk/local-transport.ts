import type { ApiResponse, Transport } from '../../contract/transport.ts';
import { type DeskApi, deskOperations } from '../../server/desk/desk-operations.ts';
import { FieldError } from '../../server/desk/desk-refusals.ts';
import { HttpError } from '../../server/http/errors.ts';

export interface LocalTransportOptions {
  /** The name in the log. */
  readonly editor: () => string;
  /** Of the API, epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * The editors' API in this process. Rejects with what the store rejects with, which says more than the
 * answer of a server may.
 */
export function createLocalTransport(api: DeskApi, { editor, clock }: LocalTransportOptions): Transport {
  return async ({ method, path: target, body = {}, headers = {} }): Promise<ApiResponse> => {
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    const { operation, id } = findOperation(method, path.replace(/^\/api/, ''));
    const name = method === 'GET' ? readerName(editor) : editor();
    try {
      const answer = await api[operation]({
        ...{ method, path, id, query },
        // As it would arrive over HTTP: without fields that are undefined.
        body: JSON.parse(JSON.stringify(body)),
        ifMatch: headers['if-match'],
        idempotencyKey: undefined,
        editor: { name, key: name },
      });
      const tag = answer.revision === undefined ? {} : { etag: `"${answer.revision}"` };
      const date = new Date(clock()).toUTCString();
      return { status: answer.status, body: answer.body, headers: { ...tag, date } };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const problems = error instanceof FieldError ? { problems: error.problems } : {};
      return {
        status: error.status,
        body: { error: error.message, code: error.code, ...problems },
        headers: {},
      };
    }
  };
}

/** Somebody who only looks needs no name that could be in the log. */
function readerName(editor: () => string): string {
  try {
    return editor();
  } catch {
    return '';
  }
}

function findOperation(method: string, path: string): { operation: keyof DeskApi; id: string } {
  for (const [known, pattern, operation] of deskOperations) {
    const found = new RegExp(`^${pattern.replace(':id', '([^/]+)')}$`).exec(path);
    if (found !== null && known === method) return { operation, id: decodeURIComponent(found[1] ?? '') };
  }
  throw new Error(`there is no ${method} ${path}`);
}
