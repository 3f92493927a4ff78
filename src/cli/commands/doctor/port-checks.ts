import { createServer } from 'node:net';
import { toMetricsUrl } from '../../../server/metrics/metrics-server.ts';
import type { ListenAddress, ServeConfig } from '../../../server/settings/config.ts';
import { readMarks, type ServerMark } from '../../servers/server-mark.ts';
import { askServer } from '../../servers/server-question.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Reasons of a server that are shown: the first ones say enough. */
const mostReasons = 3;

/** The ports that the server needs, and where its metrics are. */
export async function checkPorts(
  { host, port, metrics }: ServeConfig,
  dataDir: string,
): Promise<readonly Finding[]> {
  const address = { host, port };
  const own = await checkPort({
    about: 'port',
    options: { host: '--host', port: '--port' },
    address,
    dataDir,
  });
  const running = await findRunning(port, dataDir);
  // The server that has the port has that of the metrics, too.
  if (running !== undefined) return [own, checkRunningMetrics(running, metrics)];
  if (metrics === undefined) return [own, ok('metrics', 'Off: --metrics serves figures for Prometheus.')];
  const options = { host: '--metrics', port: '--metrics' };
  return [own, await checkPort({ about: 'metrics', options, address: metrics, dataDir })];
}

function checkRunningMetrics(running: ServerMark, asked: ListenAddress | undefined): Finding {
  const message =
    running.metrics === undefined
      ? 'The running server serves none'
      : `The running server serves them at ${running.metrics}`;
  const url = asked === undefined || asked.port === 0 ? undefined : toMetricsUrl(asked);
  if (url !== undefined && url !== running.metrics)
    return note('metrics', `${message}.`, `Start it again with these settings to serve them at ${url}.`);
  const isOff = running.metrics === undefined && asked === undefined;
  return ok('metrics', isOff ? `${message}: --metrics serves figures for Prometheus.` : `${message}.`);
}

interface PortQuestion {
  readonly about: string;
  /** The options that set host and port. */
  readonly options: { readonly host: string; readonly port: string };
  readonly address: ListenAddress;
  readonly dataDir: string;
}

/** Whether the address is free, or whose it is. */
async function checkPort({ about, options, address, dataDir }: PortQuestion): Promise<Finding> {
  const { host, port } = address;
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const code = await tryToListen(address);
  if (code === undefined) return ok(about, port === 0 ? 'A free port will be taken.' : `${place} is free.`);
  switch (code) {
    case 'EADDRINUSE': {
      const owner = await findOwner(address, dataDir);
      if (owner !== undefined) return toOwnerFinding(owner, { about, place, option: options.port });
      const message = `${place} is taken by another program.`;
      return problem(about, message, `Stop that program, or choose another with ${options.port}.`);
    }
    case 'EACCES':
      return problem(
        about,
        `This user may not listen on ${place}.`,
        `Choose a port above 1023 with ${options.port}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return problem(about, `${host} is not an address of this machine.`, `Correct ${options.host}.`);
    default:
      return problem(
        about,
        `Nobody can listen on ${place} (${code}).`,
        `Choose another with ${options.port}.`,
      );
  }
}

function toOwnerFinding(
  { name, isOwn, unready }: Owner,
  { about, place, option }: { readonly about: string; readonly place: string; readonly option: string },
): Finding {
  const message = `${place} is taken by ${name}.`;
  const state =
    unready.length === 0 ? message : `${message} It is not ready: ${unready.join('; ').replace(/\.?$/, '.')}`;
  if (!isOwn) return note(about, state, `Stop it, or choose another port with ${option}.`);
  return unready.length === 0 ? ok(about, message) : note(about, state);
}

/** Resolves to the system's error code; undefined where it worked. */
function tryToListen({ host, port }: ListenAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

interface Owner {
  /** What it is, for a sentence. */
  readonly name: string;
  /** Whether it runs with the same data folder, and so is the server that is asked about. */
  readonly isOwn: boolean;
  /** Why it is not ready, in its own sentences; empty if it is. */
  readonly unready: readonly string[];
}

/** A typebadge server answers that it is one; the marks in the data folder say which process it is. */
async function findOwner({ host, port }: ListenAddress, dataDir: string): Promise<Owner | undefined> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  const answer = readReadiness(await askServer(url, '/health/ready'));
  const unready = answer?.unready ?? [];
  const mark = await findRunning(port, dataDir);
  if (mark !== undefined) {
    const name = `a typebadge server that runs with this data folder (process ${mark.process.pid}, content ${mark.content})`;
    return { name, isOwn: true, unready };
  }
  if (answer === undefined) return undefined;
  const version = answer.version === undefined ? '' : `, version ${answer.version},`;
  return { name: `a typebadge server${version} that runs with another data folder`, isOwn: false, unready };
}

/** Undefined for what no typebadge server answers. One that is not ready does not tell its version. */
function readReadiness(
  answer: unknown,
): { readonly version?: string; readonly unready: readonly string[] } | undefined {
  const { status, version, reasons } = Object(answer) as Record<string, unknown>;
  if (status === 'ready' && typeof version === 'string') return { version, unready: [] };
  const isUnready = status === 'unready' && Array.isArray(reasons) && reasons.length > 0;
  return isUnready ? { unready: reasons.slice(0, mostReasons).map(String) } : undefined;
}

/** The server that runs with this data folder and has that port. */
async function findRunning(port: number, dataDir: string): Promise<ServerMark | undefined> {
  const marks = await readMarks(dataDir);
  return marks.find(({ url }) => new URL(url).port === String(port));
}
