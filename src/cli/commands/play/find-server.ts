import { once } from 'node:events';
import { connect } from 'node:net';
import { createHttpTransport } from '../../../contract/http-transport.ts';
import { createSessionApi, type ServerProblem } from '../../../tui/link/session.ts';
import type { FoundServer } from '../../../tui/play.ts';
import { isOnThisComputer } from '../../desk/server-address.ts';

export interface ServerRequest {
  readonly server: URL | undefined;
  readonly port: number | undefined;
  /** A data folder given by the user: no server is searched for, because it uses another one. */
  readonly data: string | undefined;
  /** Whether no request may be sent: rounds wait for the named server. */
  readonly isOffline: boolean;
  /** The typist's player key, for a server on another machine. */
  readonly playerKey: () => Promise<string>;
  /** A key that the user names: sent to the requested server or port only. */
  readonly givenKey: string | undefined;
}

const defaultPort = 8787;

/** How long to wait for an answer, ms; shorter for this machine, where a server answers at once. */
const localTimeout = 1500;
const remoteTimeout = 10_000;

/**
 * The server to play with: the requested one, or one that runs on this machine; undefined if there is none.
 * Rejects with a sentence if it cannot be used: rounds typed for it would never be delivered.
 *
 * @param signal ends the search, when play is over
 */
export async function findServer(
  request: ServerRequest,
  signal: AbortSignal,
): Promise<FoundServer | undefined> {
  const { server, port, data, isOffline, givenKey } = request;
  if (server !== undefined) {
    const isLocal = isOnThisComputer(server);
    const key = givenKey ?? (isLocal ? undefined : await request.playerKey());
    const found = { url: server, key, isLocal, isOffline };
    return { ...found, away: isOffline ? '' : await awayReason(found, remoteTimeout, signal) };
  }
  const here = port ?? defaultPort;
  // Another user's program may listen there, and would learn a key that is valid on other servers, or a text.
  const isSecret = givenKey !== undefined && port === undefined;
  if (isOffline || data !== undefined || isSecret || here === 0 || !(await isListening(here)))
    return undefined;
  const isLocal = port !== undefined;
  const found = { url: new URL(`http://127.0.0.1:${here}`), key: givenKey, isLocal, isOffline };
  try {
    return (await awayReason(found, localTimeout, signal)) === '' ? { ...found, away: '' } : undefined;
  } catch (error) {
    if (port !== undefined || signal.aborted) throw error;
    return undefined; // another program happens to have the usual port
  }
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

/** Why a server does not answer at the moment; empty if it does. */
async function awayReason(
  { url, key }: Pick<FoundServer, 'url' | 'key'>,
  timeout: number,
  signal: AbortSignal,
): Promise<string> {
  const http = createHttpTransport(url, { token: key, timeout, pauses: [] });
  const api = createSessionApi((request) => http.call(request, signal));
  try {
    await api.checkAccess();
    return '';
  } catch (problem) {
    signal.throwIfAborted();
    const { kind, code, message } = problem as ServerProblem; // the session API rejects with nothing else
    if (kind === 'away') return code === undefined ? message : ''; // a busy server is asked again later
    throw new Error(
      `the server at ${url.href} does not let you play: ${message}. To play without it: --offline.`,
    );
  } finally {
    http.close();
  }
}
