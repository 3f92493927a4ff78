import { createServer } from 'node:net';
import type { ListenAddress, ServeConfig } from '../../../server/settings/config.ts';
import { type RedisAddress, storeText } from '../../../server/settings/store-url.ts';
import { checkStore } from '../../../server/stores/records/store-check.ts';
import { openConnection, untilAnswering } from '../../../server/stores/records/store-connection.ts';
import { findTlsProblem, isDenied } from '../../../server/stores/records/store-problem.ts';
import { createVisitedStore } from '../../desk/visited-store.ts';
import { askServer, readMarks } from '../../servers/running-servers.ts';
import { capitalized, type Finding, note, ok, problem, reasonOf } from './finding.ts';
import { checkTexts } from './folders.ts';

/** Reasons of a server that is not ready: the first ones say enough. */
const maxReasons = 3;

/** Tries the ports that the server needs. */
export async function checkPorts({ host, port, metrics }: ServeConfig, dataDir: string): Promise<Finding[]> {
  const running = (await readMarks(dataDir)).find(({ url }) => new URL(url).port === String(port));
  if (running === undefined) {
    const off = ok('metrics', 'Off: --metrics serves figures for Prometheus.');
    const own = await checkPort('port', { host, port });
    return [own, metrics === undefined ? off : await checkPort('metrics', metrics)];
  }
  // The server that has the port has that of the metrics, too.
  const name = `a typebadge server that runs with this data folder (process ${running.process.pid}, content ${running.content})`;
  const place = placeOf({ host, port });
  const unready = readReadiness(await askServer(urlOf({ host, port }), '/health/ready'))?.unready ?? '';
  return [
    unready === ''
      ? ok('port', `${place} is taken by ${name}.`)
      : note('port', `${place} is taken by ${name}.${unready}`),
    ok(
      'metrics',
      running.metrics === undefined
        ? 'The running server serves none: --metrics serves figures for Prometheus.'
        : `The running server serves them at ${running.metrics}.`,
    ),
  ];
}

async function checkPort(about: 'port' | 'metrics', address: ListenAddress): Promise<Finding> {
  const [hostOption, portOption] = about === 'port' ? ['--host', '--port'] : ['--metrics', '--metrics'];
  const place = placeOf(address);
  const code = await tryToListen(address);
  switch (code) {
    case undefined:
      return ok(about, address.port === 0 ? 'A free port will be taken.' : `${place} is free.`);
    case 'EADDRINUSE': {
      const server = readReadiness(await askServer(urlOf(address), '/health/ready'));
      const fix = `choose another port with ${portOption}.`;
      if (server === undefined)
        return problem(about, `${place} is taken by another program.`, `Stop that program, or ${fix}`);
      const name = `a typebadge server${server.version} that runs with another data folder`;
      return note(about, `${place} is taken by ${name}.${server.unready}`, `Stop it, or ${fix}`);
    }
    case 'EACCES':
      return problem(
        about,
        `This user may not listen on ${place}.`,
        `Choose a port above 1023 with ${portOption}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return problem(about, `${address.host} is not an address of this machine.`, `Correct ${hostOption}.`);
    default:
      return problem(about, `Nobody can listen on ${place} (${code}).`, `Choose another with ${portOption}.`);
  }
}

/** Resolves to the system's error code; undefined if it worked. */
function tryToListen({ host, port }: ListenAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * What a typebadge server answers of itself; undefined for any other program. `unready` is a sentence that goes on behind another, or
 * empty. A server that is not ready does not tell its version.
 */
function readReadiness(answer: unknown): { version: string; unready: string } | undefined {
  const { status, version, reasons } = Object(answer) as Record<string, unknown>;
  if (status === 'ready' && typeof version === 'string')
    return { version: `, version ${version},`, unready: '' };
  if (status !== 'unready' || !Array.isArray(reasons) || reasons.length === 0) return undefined;
  const shown = reasons.slice(0, maxReasons).map(String).join('; ');
  return { version: '', unready: ` It is not ready: ${shown.replace(/\.?$/, '.')}` };
}

function placeOf({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** A server on all addresses answers on loopback. */
function urlOf({ host, port }: ListenAddress): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${placeOf({ host: reachable, port })}`;
}

/** Milliseconds that the store has to answer. */
const patience = 3_000;

export interface StoreFindings {
  readonly findings: readonly Finding[];
  /** Whether servers with this store read their content from there. */
  readonly hasContent: boolean;
}

export interface CheckedStore {
  readonly address: RedisAddress;
  readonly prefix: string;
  readonly now: number;
  /** See `ContentFolderOptions`. */
  readonly needsOrigins: boolean;
}

/** Whether the store answers, is new enough, keeps what it has, and has valid content. */
export async function checkStoreAt(options: CheckedStore): Promise<StoreFindings> {
  const { address } = options;
  const name = storeText(address);
  const store = await openConnection({ address });
  try {
    await untilAnswering(store, patience);
    const start = performance.now();
    await store.run((client) => client.ping());
    const found = [ok('store', `${name} answers in ${(performance.now() - start).toFixed(1)} ms.`)];
    const warnings = (await checkStore(store)).map((warning) => note('store', warning));
    const content = await readContent(options);
    return { ...content, findings: [...found, ...warnings, ...content.findings] };
  } catch (error) {
    const message = `${name} cannot be used: ${reasonOf(error)}`;
    return { findings: [problem('store', message, fixOf(error))], hasContent: false };
  } finally {
    await store.close();
  }
}

async function readContent(options: CheckedStore): Promise<StoreFindings> {
  const { address, prefix } = options;
  const { content } = createVisitedStore({ address, prefix, reason: '--store' });
  try {
    if ((await content.read('history.json')) !== undefined) {
      const reason = 'the store, which takes precedence over the folder';
      return { findings: await checkTexts(content, { ...options, reason }), hasContent: true };
    }
    const empty = 'The store has none yet: the first server that starts fills it from its folder.';
    return { findings: [ok('content', empty)], hasContent: false };
  } catch (error) {
    // It once had some.
    return { findings: [problem('content', `${capitalized(reasonOf(error))}.`)], hasContent: false };
  }
}

/** The sentences about certificates say themselves what to do. */
function fixOf(error: unknown): string | undefined {
  if (isDenied(error))
    return 'Check the user name in --store, and the password in TYPEBADGE_STORE_PASSWORD or its file.';
  const { cause } = Object(error) as { cause?: unknown };
  if (findTlsProblem(cause) !== undefined) return undefined;
  return 'Start it, correct --store, or check network and firewall.';
}
