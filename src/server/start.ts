import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import { resolveContentFolder } from './badge/content-folder.ts';
import type { ServeConfig } from './config.ts';
import { createListener } from './http/listener.ts';
import { createLog } from './log.ts';

export interface RunningServer {
  /** Where to reach it, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly contentDir: string;
  readonly dataDir: string;
  /** Stops taking requests, lets running ones end for at most five seconds, saves everything unsaved. */
  close(): Promise<void>;
}

const shutdownGrace = 5_000;

/** Starts the whole server. Rejects with one sentence where the content is unreadable or the address is taken. */
export async function startServer(config: ServeConfig): Promise<RunningServer> {
  const log = createLog({ format: config.log });
  const content = await resolveContentFolder({
    content: config.content,
    env: process.env,
    cwd: process.cwd(),
  });
  if (config.verbose) {
    log.info(`content folder: ${content.dir} (${content.reason})`);
    log.info(`data folder: ${config.data}`);
  }
  const app = await createApp({ config, contentDir: content.dir, log });
  const listener = createListener(app.answer, {
    onAnswer: config.verbose
      ? ({ method, url }, status, milliseconds, request) =>
          log.info(`${method} ${url}`, { status, ms: milliseconds.toFixed(1), request })
      : undefined,
  });

  let address: AddressInfo;
  try {
    address = await listener.listen(config.port, config.host);
  } catch (error) {
    await app.close();
    throw new Error(toSentence(error as NodeJS.ErrnoException, config));
  }
  return {
    url: `http://${toUrlHost(config.host)}:${address.port}`,
    port: address.port,
    contentDir: content.dir,
    dataDir: config.data,
    async close() {
      await listener.close(shutdownGrace);
      await app.close();
    },
  };
}

/** The address to type into a browser: a wildcard address is reached by the loopback one. */
function toUrlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function toSentence({ code, message }: NodeJS.ErrnoException, { port, host }: ServeConfig): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use: stop the other program, or choose another with --port (0 takes a free one).`;
    case 'EACCES':
      return `port ${port} needs rights that this user lacks: choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: choose another with --host.`;
    default:
      return `the server cannot listen on ${host}:${port} (${code ?? message}).`;
  }
}
