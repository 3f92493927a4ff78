import { codeOf, StoreUnavailableError } from './records.ts';

/** Explanations for operators, by the first word of an error reply. */
const replies: Readonly<Record<string, string>> = {
  LOADING: 'The store is starting: it is still loading its data.',
  OOM: 'The store is full: it has reached its maxmemory.',
  READONLY:
    'The store answers as a read-only replica: a failover is under way, or the address is not the primary’s.',
  NOREPLICAS: 'The store has too few replicas to accept writes (min-replicas-to-write).',
  MISCONF: 'The store refuses writes because it cannot save its data to disk.',
  MASTERDOWN: 'The store has lost its primary.',
  CLUSTERDOWN: 'The cluster is down: not every slot has a node.',
  TRYAGAIN: 'The cluster is moving data.',
  NOAUTH: 'The store asks for a password: set TYPEBADGE_STORE_PASSWORD or TYPEBADGE_STORE_PASSWORD_FILE.',
  WRONGPASS: 'The store refuses the user name or password.',
  NOPERM: 'The store’s user may not run a command that typebadge needs.',
};

/**
 * How a script begins its error for a command, key or channel that its user may not use: Redis up to 7.0, and
 * later versions.
 */
const deniedInScript = /^(?:ERR )?(?:The user executing the script can't |ACL failure in script)/;

/** Why there is no connection, by error code of the system. */
const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up',
  ENOENT: 'there is no such socket',
  EACCES: 'this user may not use its socket',
};

/** What to do about a connection that cannot be made, if the error does not say. */
export const checks =
  ': check its address (rediss:// with TLS, redis:// without) and its certificate (NODE_EXTRA_CA_CERTS for an authority of your own)';

/**
 * Turns errors of the client library into one kind of error with one sentence. Other error replies, such as
 * that of a failing script, are bugs in typebadge and stay as they are.
 *
 * @param hint what to do if the reason is not known
 */
export function storeProblem(error: unknown, hint = ''): Error {
  if (error instanceof StoreUnavailableError) return error;
  const { lastNodeError } = Object(error);
  if (lastNodeError instanceof Error) return storeProblem(lastNodeError, hint);
  const message = String(Object(error).message);
  const known =
    replies[/^(?:ERR )?([A-Z]+)/.exec(message)?.[1] as string] ??
    (/\bOOM\b/.test(message) ? replies.OOM : undefined) ??
    (deniedInScript.test(message) ? replies.NOPERM : undefined);
  if (known !== undefined) return new StoreUnavailableError(known, { cause: error });
  if (error instanceof Error && error.name === 'ReplyError') return error;
  if (isTimeout(error)) return new StoreUnavailableError('The store does not answer in time.');
  const code = codeOf(error);
  const reason = unreachable[code];
  // In parentheses, because the sentence itself often comes after a colon.
  const why = reason === undefined ? `${code && ` (${code})`}${hint}` : ` (${reason})`;
  return new StoreUnavailableError(`The store cannot be reached${why}.`);
}

/** Whether our own timeout, or that of the client library, has passed. */
export function isTimeout(error: unknown): boolean {
  return /timed out/i.test(String(Object(error).message));
}

/** Whether the store itself refused a command, so that nothing changed; otherwise it may have run. */
export function isRefusal(error: unknown): boolean {
  return error instanceof StoreUnavailableError && Object(error.cause).name === 'ReplyError';
}

/** Whether the store denies access to this user: then waiting does not help. */
export function isDenied(error: unknown): boolean {
  const denials = [replies.NOAUTH, replies.WRONGPASS, replies.NOPERM];
  return denials.includes((error as Error).message);
}
