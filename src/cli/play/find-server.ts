import { newServeConfig } from '../../server/config.ts';
import { probeServer } from '../../tui/link/server-probe.ts';
import type { FoundServer } from '../../tui/play.ts';

export interface ServerWish {
  /** An address given by the user. */
  readonly server: URL | undefined;
  /** A port given by the user. */
  readonly port: number | undefined;
  /** A data folder given by the user: only an own server can use it. */
  readonly data: string | undefined;
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
export async function findServer(
  { server, port, data }: ServerWish,
  signal: AbortSignal,
): Promise<FoundServer> {
  if (server !== undefined) return findRemote(server, signal);
  if (data !== undefined || port === 0) return startInside(data, port ?? 0);
  const url = new URL(`http://127.0.0.1:${port ?? usualPort}`);
  const finding = await probeServer(url, localPatience, signal);
  signal.throwIfAborted();
  if (finding.kind === 'typebadge') return toFound(url);
  if (finding.kind === 'other' && port !== undefined) {
    throw new Error(
      `port ${port} is taken by something that is no typebadge server (${finding.reason}): choose another port, or leave -port out.`,
    );
  }
  return startInside(undefined, port ?? 0);
}

async function findRemote(url: URL, signal: AbortSignal): Promise<FoundServer> {
  const finding = await probeServer(url, remotePatience, signal);
  if (finding.kind === 'typebadge') return toFound(url);
  if (finding.kind === 'nobody') {
    throw new Error(
      `no server answers at ${url.href} (${finding.reason}): check the address, or leave --server out to play without one.`,
    );
  }
  throw new Error(
    `what answers at ${url.href} is no typebadge server (${finding.reason}): check the address.`,
  );
}

function toFound(url: URL): FoundServer {
  return { url, name: url.href, close: async () => {} };
}

async function startInside(data: string | undefined, port: number): Promise<FoundServer> {
  const { startServer } = await import('../../server/start.ts');
  const config = newServeConfig({ port, log: 'off', ...(data === undefined ? {} : { data }) });
  const running = await startServer(config);
  return { url: new URL(running.url), name: `inside ${running.dataDir}`, close: () => running.close() };
}
