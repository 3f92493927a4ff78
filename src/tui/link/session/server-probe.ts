import { Client } from 'undici';
import { toShownText } from './server-problem.ts';

/** What is found at an address. `other`: something answers, but it is not a typebadge server. */
export type ProbeResult =
  | { readonly kind: 'typebadge' }
  /** `code`: of the system or of TLS, such as `ECONNREFUSED`; undefined if there is none. */
  | { readonly kind: 'nobody'; readonly reason: string; readonly code: string | undefined }
  | { readonly kind: 'other'; readonly reason: string };

/** Asks `/api/health` at `base`; waits at most `timeout` ms for the whole answer, and no longer than `signal` allows. */
export async function probeServer(base: URL, timeout: number, signal?: AbortSignal): Promise<ProbeResult> {
  const url = new URL(`${base.pathname.replace(/\/+$/, '')}/api/health`, base);
  // Not AbortSignal.any: that forgets the timeout when garbage is collected in between (Node 20).
  const patience = new AbortController();
  const stop = () => patience.abort();
  const timer = setTimeout(() => patience.abort(new DOMException('late', 'TimeoutError')), timeout);
  signal?.addEventListener('abort', stop, { once: true });
  const connection = new Client(url.origin);
  try {
    const response = await connection.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: { accept: 'application/json' },
      signal: patience.signal,
    });
    const text = await readStart(response.body);
    const target = toTarget(response.statusCode, response.headers.location, url);
    if (target !== undefined) return { kind: 'other', reason: `it redirects to ${target}` };
    if (response.headers['api-version'] !== 'v1') {
      return { kind: 'other', reason: 'it does not speak version v1 of the typing API' };
    }
    if (response.statusCode !== 200 || !isHealthy(text)) {
      return {
        kind: 'other',
        reason: `it answered ${response.statusCode} and does not say that it is healthy`,
      };
    }
    return { kind: 'typebadge' };
  } catch (error) {
    return toFailure(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await connection.destroy();
  }
}

/** Where a redirect leads to another server, without the path that was asked for; undefined for any other answer. */
function toTarget(status: number, location: unknown, asked: URL): string | undefined {
  if (status < 300 || status > 399 || typeof location !== 'string') return undefined;
  if (!URL.canParse(location, asked.href)) return undefined;
  const { protocol, origin, pathname } = new URL(location, asked);
  if (!/^https?:$/.test(protocol) || origin === asked.origin) return undefined;
  const [, base = ''] = /^(.*)\/api\/health$/.exec(pathname) ?? [];
  return origin + base;
}

/** The answer of a stranger may have no end. */
const longestAnswer = 10_000;

async function readStart(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += chunk.toString('utf8');
    if (text.length > longestAnswer) break;
  }
  body.destroy();
  return text;
}

function isHealthy(text: string): boolean {
  try {
    return (JSON.parse(text) as { status?: unknown } | null)?.status === 'healthy';
  } catch {
    return false;
  }
}

/** A refused connection means that nobody is there; a connection that talks nonsense or stays silent is somebody else. */
function toFailure(error: unknown): ProbeResult {
  const { code, name, message } = error as { code?: unknown; name?: string; message?: string };
  if (name === 'TimeoutError') return { kind: 'other', reason: 'it did not answer in time' };
  if (name === 'HTTPParserError') return { kind: 'other', reason: 'it does not speak HTTP' };
  if (code === 'UND_ERR_SOCKET')
    return { kind: 'other', reason: 'it closed the connection without an answer' };
  const known = typeof code === 'string' ? code : undefined;
  return { kind: 'nobody', reason: toShownText(known ?? message ?? String(error)), code: known };
}
