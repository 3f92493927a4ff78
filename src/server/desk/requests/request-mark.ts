import { createHash } from 'node:crypto';
import type { Context } from '../../http/requests/context.ts';
import type { Editor } from '../editors/editors-document.ts';
import { type DeskError, invalid, keyUsedTwice } from '../refusals/desk-refusals.ts';

/** How long a repeated request is recognised, in milliseconds. */
const remembered = 24 * 60 * 60 * 1000;

/**
 * Identifies a request by its Idempotency-Key: `<hash of editor and key>.<hash of the request>`. It is stored in the log with the
 * change, so that both are written or neither, on every replica and across restarts. Undefined if no key was sent.
 */
export function toRequestMark(context: Context, editor: Editor, body: unknown): string | undefined {
  const key = context.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid('Idempotency-Key must be 1 to 255 visible ASCII characters');
  return `${hash(`${editor.tokenHash}\n${key}`)}.${hash(`${context.path}\n${JSON.stringify(body)}`)}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A change or answer with the request that caused it; `at` is an instant in ISO 8601. */
interface Remembered {
  readonly request?: string;
  readonly at: string;
}

/** Most requests remembered in a list, so that it can always be read at once. */
const mostRemembered = 1_000;

/** The requests of the last day, at most the newest thousand, including the present one. */
export function rememberRequest<T extends Remembered>(requests: readonly T[], present: T): readonly T[] {
  const since = Date.parse(present.at) - remembered;
  const fresh = requests.filter(({ at }) => Date.parse(at) >= since);
  return [...fresh.slice(1 - mostRemembered), present];
}

/** The number of the change that the same request made within a day, or the refusal of a key used for another request. */
export function findReplay(
  changes: readonly Remembered[],
  mark: string | undefined,
  now: number,
): { readonly number: number } | { readonly refusal: DeskError } | undefined {
  if (mark === undefined) return undefined;
  const [key] = mark.split('.');
  const at = changes.findLastIndex(({ request }) => request?.split('.')[0] === key);
  const change = changes[at];
  if (change === undefined || Date.parse(change.at) < now - remembered) return undefined;
  return change.request === mark ? { number: at + 1 } : { refusal: keyUsedTwice() };
}
