import { expiredTokenSentence } from '../../contract/credentials.ts';
import { type AddressRanges, isLoopbackAddress, parseHop } from '../../kit/address.ts';
import { HttpError } from '../http/errors.ts';
import { type Context, requestIdOf } from '../http/request.ts';
import type { ServeConfig } from '../settings/config.ts';
import { boundLines, type Log } from '../settings/log.ts';
import type { Content } from '../stores/content/content.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import { contentBroken, storeAway } from './desk-refusals.ts';
import { type Editor, findEditor, hasExpired, parseEditors } from './editors-document.ts';

/** The editor who sent a request. Rejects with 401, 403 or 429, or 503 if the list of editors is lost. */
export type Authenticate = (context: Context) => Promise<Editor>;

export function createAuthentication(
  { trustProxy, publicUrl }: Pick<ServeConfig, 'trustProxy' | 'publicUrl'>,
  content: Content,
  clock: () => number,
  log: Log,
): Authenticate {
  const publicOrigin = publicUrl && new URL(publicUrl).origin;
  // Unlike `clock`, it never jumps.
  const steady = () => performance.now();
  const wrongTokens = createWrongTokens();

  /** A store without announcements has lost its data, so that no token can be checked. */
  const requireContent = async () => {
    if (content.kind === 'folder') return;
    const [version] = await content.versions(['history.json']);
    if (version === undefined) throw new Error('the store has lost it');
  };

  /** Read on each request, so that removing a token takes effect at once. */
  const readEditors = async (context: Context): Promise<readonly Editor[]> => {
    try {
      const text = (await content.read('editors.json'))?.text;
      if (text === undefined) await requireContent();
      const result = parseEditors(text);
      if ('editors' in result) return result.editors;
      throw new Error(result.problem);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw storeAway;
      const reason = error instanceof HttpError ? error : (error as Error).message;
      log.error(`${content.nameOf('editors.json')} cannot be used, so nobody may edit: ${reason}`, {
        request: requestIdOf(context),
      });
      if (content.kind === 'folder') throw contentBroken;
      // It takes a while until the operator has restored what the store has lost.
      throw new HttpError(
        'STORE_UNAVAILABLE',
        'The list of editors cannot be read in the store, so no token can be checked now. Nothing was changed, and your token may be right; the log of the server says what is wrong.',
        ['Retry-After', '60'],
      );
    }
  };

  const logRefusal = boundLines(log.warn);
  const checkGuesses = ({ client }: Context) => {
    const wait = wrongTokens.waitOf(client, steady());
    if (wait === 0) return;
    throw new HttpError(
      'RATE_LIMITED',
      'Too many wrong tokens came from this address: wait as long as Retry-After says, then try again.',
      ['Retry-After', String(wait)],
    );
  };

  return async (context) => {
    if (isForeignPage(context, publicOrigin))
      throw new HttpError(
        'ORIGIN_NOT_ALLOWED',
        'Pages of other sites cannot edit, even if they are on the allow-list.',
      );
    if (!isSafe(context, trustProxy))
      throw new HttpError(
        'TLS_REQUIRED',
        'Tokens are accepted over TLS only: use https, through a proxy that this server trusts (--trust-proxy) and that sends X-Forwarded-Proto.',
      );
    const { authorization } = context.head;
    if (authorization === undefined) throw unauthenticated(wrongToken);
    // Checked first, so that a client that keeps guessing does not cause reads of all editors.
    checkGuesses(context);
    const editors = await readEditors(context);
    // Synchronous from here on, so that the sixth guess is refused however many arrive at once.
    checkGuesses(context);
    const editor = findEditor(editors, tokenOf(authorization));
    if (editor !== undefined && !hasExpired(editor, clock())) return editor;
    // An expired token counts as well: checking it costs as much as checking a guess.
    wrongTokens.note(context.client, steady());
    // The log never has addresses; the proxy's log may.
    const what = editor === undefined ? 'a wrong token was sent' : `the token of ${editor.name} has expired`;
    logRefusal(what, { request: requestIdOf(context) });
    throw unauthenticated(editor === undefined ? wrongToken : expiredTokenSentence);
  };
}

/** The same sentence for a missing and for every unknown token, so that it reveals nothing. */
const wrongToken =
  'Send an editor token as "Authorization: Bearer …". The token is missing, wrong or was removed.';

function unauthenticated(sentence: string) {
  return new HttpError('UNAUTHENTICATED', sentence, ['WWW-Authenticate', 'Bearer']);
}

function tokenOf(authorization: string): string {
  return /^Bearer +([^ ]+)$/i.exec(authorization)?.[1] ?? '';
}

/**
 * Whether a request may come from a page of another site. Browsers send `Origin` with every request that
 * could carry a token; if an old proxy drops it, there is still `Sec-Fetch-Site`. Programs send neither.
 *
 * @param publicOrigin scheme and host of the public URL of this server, if the operator has set one
 */
function isForeignPage({ head }: Context, publicOrigin: string | undefined): boolean {
  const { origin, host, secFetchSite } = head;
  if (secFetchSite === 'cross-site' || secFetchSite === 'same-site') return true;
  if (origin === undefined || origin === publicOrigin) return false;
  return origin !== `http://${host}` && origin !== `https://${host}`;
}

/** Maximum number of wrong tokens of a client within a span, and the span in milliseconds. */
const maxWrong = 5;
const span = 60_000;
/** Maximum number of clients remembered; the one whose last wrong token is oldest is forgotten first. */
const maxClients = 10_000;

/**
 * Counts the wrong tokens of each client within the last minute. After five of them a client is refused
 * before its token is checked: otherwise the answer would still reveal whether the sixth was right. `now` is
 * in milliseconds, of a monotonic clock.
 */
export function createWrongTokens() {
  const times = new Map<string, readonly number[]>();
  const recent = (client: string, now: number) =>
    (times.get(client) ?? []).filter((time) => time > now - span);
  return {
    /** Seconds until this client may send a token again, right or wrong; 0 if it may now. */
    waitOf(client: string, now: number): number {
      const earliest = recent(client, now).at(-maxWrong);
      return earliest === undefined ? 0 : Math.ceil((earliest + span - now) / 1000);
    },
    note(client: string, now: number): void {
      const noted = [...recent(client, now), now];
      times.delete(client);
      times.set(client, noted);
      const [oldest] = times.keys();
      if (times.size > maxClients && oldest !== undefined) times.delete(oldest);
    },
  };
}

/** Headers that proxies add; any of them means that the request did not begin on this machine. */
const proxyHeaders = [
  'x-forwarded-proto',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'via',
] as const;

/**
 * Whether nobody on the network could read a request: it came over loopback, or from a trusted proxy that
 * reports TLS. A proxy on this machine uses loopback too: if a request has headers of a proxy, each proxy of
 * the chain must report TLS, in `X-Forwarded-Proto` only.
 */
function isSafe({ peer: address, headers }: Context, trusted: AddressRanges | undefined): boolean {
  const peer = parseHop(address);
  if (peer === undefined) return false;
  const isLoopback = isLoopbackAddress(peer);
  if (proxyHeaders.every((name) => headers[name] === undefined)) return isLoopback;
  if (!isLoopback && trusted?.has(peer) !== true) return false;
  const protocols = (headers['x-forwarded-proto'] ?? '').split(',');
  return protocols.every((protocol) => protocol.trim().toLowerCase() === 'https');
}
