import { once } from 'node:events';
import { connect } from 'node:net';
import { createSessionApi, ServerProblem } from '../../../tui/link/session.ts';
import type { FoundServer } from '../../../tui/play.ts';
import { isOnThisComputer } from '../../desk/server-address.ts';
import { describeCertificate } from '../../program/http-transport.ts';

export interface ServerRequest {
  /** An address given by the user. */
  readonly server: URL | undefined;
  /** A port given by the user. */
  readonly port: number | undefined;
  /** A data folder given by the user: no server is searched for, because it uses another one. */
  readonly data: string | undefined;
  /** Whether no request may be sent: rounds wait for the named server. */
  readonly isOffline: boolean;
  /** The typist's player key, for a server on another machine. */
  readonly playerKey: () => Promise<string>;
  /** A key that the user names: sent to whichever server is found. */
  readonly givenKey: string | undefined;
}

const defaultPort = 8787;

/** How long to wait for an answer, ms; shorter for this machine, where a server answers at once. */
const localTimeout = 1500;
const remoteTimeout = 10_000;

/**
 * The server to play with: the requested one, or one that runs on this machine; undefined if there is none.
 *
 * @param signal ends the search, when play is over
 */
export async function findServer(
  request: ServerRequest,
  signal: AbortSignal,
): Promise<FoundServer | undefined> {
  const { server, givenKey, isOffline } = request;
  if (server === undefined) return isOffline ? undefined : findLocal(request, signal);
  const isLocal = isOnThisComputer(server);
  const key = givenKey ?? (isLocal ? undefined : await request.playerKey());
  const found = { url: server, key, isLocal, isOffline };
  return isOffline ? { ...found, away: '--offline was given' } : checkNamed(found, signal);
}

async function findLocal(
  { port: given, data, givenKey: key }: ServerRequest,
  signal: AbortSignal,
): Promise<FoundServer | undefined> {
  const port = given ?? defaultPort;
  if (data !== undefined || port === 0 || !(await isListening(port))) return undefined;
  const url = new URL(`http://127.0.0.1:${port}`);
  const { probeServer } = await import('../../../tui/link/http-transport.ts');
  const finding = await probeServer(url, localTimeout, signal);
  signal.throwIfAborted();
  if (finding.kind === 'typebadge') return { url, key, isLocal: true, isOffline: false, away: '' };
  if (finding.kind === 'other' && given !== undefined) {
    throw new Error(
      `port ${port} is taken by something that is not typebadge (${finding.reason}): choose another port, or leave --port out.`,
    );
  }
  return undefined;
}

/** Cheaper than a request; usually no server is running. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(localTimeout) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Reports a refusal before the screen is taken over; a busy server is asked again later. */
async function checkNamed(found: Omit<FoundServer, 'away'>, signal: AbortSignal): Promise<FoundServer> {
  const { url, key } = found;
  const { createHttpTransport, probeServer } = await import('../../../tui/link/http-transport.ts');
  const finding = await probeServer(url, remoteTimeout, signal);
  signal.throwIfAborted();
  if (finding.kind === 'other')
    throw new Error(`the server at ${url.href} is not typebadge (${finding.reason}): check the address.`);
  if (finding.kind === 'nobody') {
    const untrusted = describeCertificate(url.origin, finding.code);
    // Waiting does not help: rounds typed for such a server would never be delivered.
    if (untrusted !== undefined) throw new Error(`${untrusted}. To play without a server: --offline.`);
    return { ...found, away: `no answer from ${url.host}` };
  }
  const http = createHttpTransport(url, { key, timeout: remoteTimeout, deadline: remoteTimeout });
  const stop = () => http.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await createSessionApi(http.call).checkAccess();
    return { ...found, away: '' };
  } catch (problem) {
    if (!(problem instanceof ServerProblem)) throw problem; // the session API rejects with nothing else
    if (problem.kind !== 'away')
      throw new Error(`the server at ${url.href} does not let you play: ${problem.message}.`);
    return { ...found, away: problem.code === undefined ? problem.message : '' };
  } finally {
    signal.removeEventListener('abort', stop);
    http.close();
  }
}
