import { whileWaiting } from './waiting.ts';

/** What is wrong with a field, and what would be right. */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
  readonly fix?: string;
}

/** Why a request failed; the message is a sentence for the editor. */
export class CallError extends Error {
  constructor(
    readonly kind: 'signed out' | 'changed meanwhile' | 'refused' | 'unanswered',
    message: string,
    readonly problems: readonly FieldProblem[] = [],
  ) {
    super(message);
  }
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/`. */
  readonly path: string;
  readonly body?: object | undefined;
  /** The revision that the editor has seen. */
  readonly revision?: string | undefined;
  /** Makes a repeated POST harmless. */
  readonly key?: string | undefined;
}

export interface Answer<Body> {
  readonly body: Body;
  readonly revision: string;
}

const timeoutMs = 20_000;
const tokenName = 'typebadge-desk-token';

export function readToken(): string | null {
  return sessionStorage.getItem(tokenName);
}

/** @param token undefined removes it */
export function keepToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(tokenName);
  else sessionStorage.setItem(tokenName, token);
}

/** Calls the editors' API. Rejects with a `CallError`. */
export function call<Body>(request: Call): Promise<Answer<Body>> {
  return whileWaiting(send(request));
}

async function send<Body>({ method, path, body, revision, key }: Call): Promise<Answer<Body>> {
  const headers = new Headers({ Authorization: `Bearer ${readToken() ?? ''}` });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (revision !== undefined) headers.set('If-Match', revision);
  if (key !== undefined) headers.set('Idempotency-Key', key);
  const sent = body === undefined ? null : JSON.stringify(body);
  let status = 0;
  try {
    const reply = await fetch(`api/${path}`, {
      ...{ method, headers, body: sent, cache: 'no-store', credentials: 'omit' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = reply.status;
    const answer = await reply.json();
    // A proxy that compresses weakens the tag, and no change may be made with a weak one.
    if (reply.ok) return { body: answer, revision: (reply.headers.get('ETag') ?? '').replace(/^W\//, '') };
    if (status < 500 || answer.error) throw refusal(reply, answer);
  } catch (error) {
    if (error instanceof CallError) throw error;
  }
  const what = status === 0 ? 'The server does not answer' : `The server answered with ${status}`;
  throw new CallError('unanswered', `${what}. Nothing you typed is lost: try again in a moment.`);
}

function refusal(
  { status, headers }: Response,
  { error, problems }: { error: string; problems?: FieldProblem[] },
): CallError {
  if (status === 401) {
    const expired = /expired/.test(error)
      ? error
      : 'This token is not accepted: it is mistyped or was removed.';
    return new CallError('signed out', expired);
  }
  const wait = headers.get('Retry-After') ?? 'a few';
  if (status === 429)
    return new CallError(
      'unanswered',
      `Too many requests came from your network address: try again in ${wait} seconds.`,
    );
  const kind = status === 412 ? 'changed meanwhile' : status >= 500 ? 'unanswered' : 'refused';
  return new CallError(kind, summaryOf(problems ?? []) ?? error, problems);
}

/** Undefined for a single problem, whose sentence says more. */
export function summaryOf({ length }: readonly FieldProblem[]): string | undefined {
  return length > 1 ? `${length} fields need a change.` : undefined;
}
