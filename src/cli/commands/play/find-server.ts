import { newServeConfig } from '../../../server/settings/config.ts';
import { probeServer } from '../../../tui/link/session/server-probe.ts';
import { isUnreachable, ServerProblem } from '../../../tui/link/session/server-problem.ts';
import { createSessionClient } from '../../../tui/link/session/session-client.ts';
import type { FoundServer } from '../../../tui/play-config.ts';
import { offlineServer } from '../../../tui/unsent-rounds.ts';
import { isOnThisComputer } from '../../desk/server-address.ts';
import { describeCertificate } from '../../program/http-transport.ts';

export interface ServerWish {
  /** An address given by the user. */
  readonly server: URL | undefined;
  /** A port given by the user. */
  readonly port: number | undefined;
  /** A data folder given by the user: only a private server can use it. */
  readonly data: string | undefined;
  /** The typist's player key, for a server on another machine. */
  readonly ownKey: () => Promise<string>;
  /** A key that the user names: sent to whichever server is found. */
  readonly givenKey: string | undefined;
}

const usualPort = 8787;

/** Ms to wait for an answer: a server on this machine is quick or is not there. */
const localPatience = 1500;
const remotePatience = 10_000;

/**
 * The server to play with: the one asked for, one that runs already, or a new one inside this process.
 *
 * @param signal ends the search: nobody waits for it any more
 */
export async function findServer(wish: ServerWish, signal: AbortSignal): Promise<FoundServer> {
  const { server, givenKey } = wish;
  if (server === undefined) return { ...(await findLocal(wish, signal)), key: givenKey };
  const key = givenKey ?? (isOnThisComputer(server) ? undefined : await wish.ownKey());
  return findNamed(server, key, signal);
}

async function findLocal({ port, data }: ServerWish, signal: AbortSignal): Promise<FoundServer> {
  if (data !== undefined || port === 0) return startInside(data, port ?? 0);
  const url = new URL(`http://127.0.0.1:${port ?? usualPort}`);
  const finding = await probeServer(url, localPatience, signal);
  signal.throwIfAborted();
  if (finding.kind === 'typebadge') return toFound(url);
  if (finding.kind === 'other' && port !== undefined) {
    throw new Error(
      `port ${port} is taken by something that is not typebadge (${finding.reason}): choose another port, or leave --port out.`,
    );
  }
  return startInside(undefined, port ?? 0);
}

async function findNamed(url: URL, key: string | undefined, signal: AbortSignal): Promise<FoundServer> {
  const finding = await probeServer(url, remotePatience, signal);
  signal.throwIfAborted();
  if (finding.kind === 'typebadge') {
    return { ...toFound(url), key, isAway: !(await isAnswering(url, key, signal)) };
  }
  if (finding.kind === 'nobody') {
    const untrusted = describeCertificate(url.origin, finding.code);
    // Waiting does not help: rounds typed for such a server would never be delivered.
    if (untrusted !== undefined) throw new Error(`${untrusted}. To play without a server: --offline.`);
    // Without a network a name that exists is unknown, too.
    const isUnknownName = finding.code === 'ENOTFOUND';
    return { ...toFound(url), key, isAway: true, isUnknownName };
  }
  throw new Error(`the server at ${url.href} is not typebadge (${finding.reason}): check the address.`);
}

/**
 * Whether the server answers a typist, and not only health checks. Anyone who may not play learns it before the screen is
 * taken over; a server that is busy is asked again later.
 */
async function isAnswering(url: URL, key: string | undefined, signal: AbortSignal): Promise<boolean> {
  const client = createSessionClient(url, { key, timeout: remotePatience, deadline: remotePatience });
  const stop = () => void client.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.checkAccess();
    return true;
  } catch (problem) {
    if (problem instanceof ServerProblem && problem.kind !== 'away') {
      throw new Error(`the server at ${url.href} does not let you play: ${problem.message}.`);
    }
    return !isUnreachable(problem);
  } finally {
    signal.removeEventListener('abort', stop);
    await client.close();
  }
}

/** No server at all: what is typed goes to the one named, or to one on this machine, when play finds it again. */
export function toOffline(server: URL | undefined): FoundServer {
  const nowhere = new URL('http://127.0.0.1:1');
  return {
    url: server ?? nowhere,
    name: server?.href ?? offlineServer,
    isOffline: true,
    close: async () => {},
  };
}

function toFound(url: URL): FoundServer {
  return { url, name: url.href, close: async () => {} };
}

async function startInside(data: string | undefined, port: number): Promise<FoundServer> {
  const { startServer } = await import('../../../server/start.ts');
  const config = newServeConfig({ port, log: 'off', ...(data === undefined ? {} : { data }) });
  const running = await startServer(config, 'before-answers');
  return { url: new URL(running.url), name: `inside ${running.dataDir}`, close: () => running.close() };
}
