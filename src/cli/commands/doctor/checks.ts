import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { writeProblem } from '../../../kit/files/file-problem.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { readLogo } from '../../../server/badge/pictures/logo.ts';
import { checkEditors } from '../../../server/desk/editors/editors-document.ts';
import { isExposed, isLoopback, type ServeConfig } from '../../../server/settings/config.ts';
import type { ListenAddress } from '../../../server/settings/config-parsers.ts';
import {
  findMissingProxy,
  listenProblem,
  metricsProblem,
  proxyFix,
} from '../../../server/settings/start-problems.ts';
import { storeText } from '../../../server/settings/store-url.ts';
import type { Content } from '../../../server/stores/content/content.ts';
import { checkContent } from '../../../server/stores/content/content-check.ts';
import { findContentFolder } from '../../../server/stores/content/content-folder.ts';
import { createFolderContent } from '../../../server/stores/content/folder-content.ts';
import type { StoreConnection } from '../../../server/stores/records/store-connection.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { readRegisteredServers } from '../../servers/running-servers.ts';
import { findSettingsProblem, readWebhookSecret, withSecrets } from '../../serving/secrets.ts';
import { unknownVariables } from '../../serving/serve-options.ts';

export interface Finding {
  /** What it is about, such as `content` or `store`. */
  readonly about: string;
  /** `problem`: a server does not start, or does not work. `note`: allowed, but perhaps not intended. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  readonly fix?: string;
}

function newFinding(state: Finding['state'], about: string, message: string, fix?: string): Finding {
  return { about, state, message, ...(fix !== undefined && { fix }) };
}

const ok = newFinding.bind(undefined, 'ok');
const note = newFinding.bind(undefined, 'note');
const problem = newFinding.bind(undefined, 'problem');

/** Tries everything that a server with these settings needs, without changing anything. */
export async function checkServer(
  version: string,
  config: ServeConfig,
  isStoreOnCommandLine: boolean,
  io: CommandIo,
): Promise<Finding[]> {
  const { cwd, env } = io;
  const { brand, webhook, metrics } = config;
  const dataDir = resolve(cwd, config.data);
  const clash = findSettingsProblem(config, isStoreOnCommandLine);
  const logo = config.logo && resolve(cwd, config.logo);
  const fixOfLogo = 'Correct --logo: an SVG or PNG file of at most 32 KiB.';
  return [
    ok('program', `typebadge ${version} on Node.js ${process.versions.node}, ${process.platform}.`),
    ...unknownVariables(env).map(({ message, fix }) =>
      newFinding(fix === undefined ? 'note' : 'problem', 'settings', message, fix),
    ),
    ...(clash === undefined ? [] : [problem('settings', clash)]),
    ...(await trySetting(() => withSecrets(config.store, env), 'Correct the path, or its rights.')),
    ...(await trySetting(() => readLogo({ logo, brand }), fixOfLogo)),
    ...(await trySetting(() => readWebhookSecret(webhook.length > 0, env))),
    ...checkExposure(config),
    ...(await checkContentAndStore(config, io)),
    await checkFolder('data', dataDir),
    await checkPort('port', config, dataDir),
    ...(metrics === undefined ? [] : [await checkPort('metrics', metrics, dataDir)]),
  ];
}

async function trySetting(run: () => unknown, fix?: string): Promise<Finding[]> {
  try {
    await run();
    return [];
  } catch (error) {
    return [problem('settings', sentenceOf(error), fix)];
  }
}

function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

/** Settings that are allowed, but rarely intended. */
function checkExposure(config: ServeConfig): Finding[] {
  const missing = findMissingProxy(config);
  if (missing !== undefined) return [problem('access', missing, proxyFix)];
  if (!isExposed(config)) return [ok('access', 'Only programs of this machine reach the server.')];
  const found = [ok('access', 'Strangers can reach the server: players are kept apart, and limits apply.')];
  if (!isLoopback(config.host) && config.allowHost.length === 0) {
    const fix = 'Name those it should answer to with --allow-host.';
    found.push(note('access', 'It answers to every host name.', fix));
  }
  if (config.publicUrl === undefined) {
    const message = 'Feeds, pages and tags name the address it listens on, which visitors cannot reach.';
    found.push(note('access', message, 'Set --public-url.'));
  }
  return found;
}

/** A server does not start with less free space, in bytes. */
const minSpace = 1024 * 1024;

/** Tries to create a file in a folder or, if it is missing, in the one in which it will be created. */
async function checkFolder(about: 'content' | 'data', dir: string): Promise<Finding> {
  const existing = existingAbove(dir);
  try {
    const probe = await mkdtemp(join(existing, '.typebadge-doctor-'));
    try {
      await writeFile(join(probe, 'probe'), Buffer.alloc(minSpace));
    } finally {
      await rm(probe, { recursive: true, force: true });
    }
    const where = existing === dir ? dir : `${dir} will be created in ${existing}, which`;
    return ok(about, `${where} can be written to.`);
  } catch (error) {
    const message = `${existing} cannot be written to: ${writeProblem(error)}.`;
    const fix =
      'Free some space, run as its owner, change its rights (chown, chmod), or name another folder.';
    return problem(about, message, fix);
  }
}

function existingAbove(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : existingAbove(dirname(dir));
}

/**
 * Whether the store answers, is new enough and keeps what it has, and whether the server would find valid
 * content: in the store, or if that has none in its folder.
 */
async function checkContentAndStore(config: ServeConfig, io: CommandIo): Promise<Finding[]> {
  const inFolder = () => checkContentFolder(config, io);
  if (config.store === undefined)
    return [...(await inFolder()), ok('store', 'None: sessions and rounds are in the data folder.')];
  const { checkStore } = await import('../../../server/stores/records/store-check.ts');
  const { visitStore } = await import('../../desk/on-demand-store.ts');
  const name = storeText(config.store);
  const empty = 'The store has none yet: the first server that starts fills it from its folder.';
  const reason = 'the store, which takes precedence over the folder';
  const check = async (_: unknown, content: Content, connection: StoreConnection) => {
    const warnings = await checkStore(connection);
    const found = [ok('store', `${name} answers.`), ...warnings.map((warning) => note('store', warning))];
    return (await content.read('history.json')) === undefined
      ? [...(await inFolder()), ...found, ok('content', empty)]
      : [...found, ...(await checkTexts(content, reason, config, io.now()))];
  };
  try {
    const address = withSecrets(config.store, io.env) ?? config.store;
    return await visitStore({ address, prefix: config.storePrefix }, check, (problem) => problem);
  } catch (error) {
    const message = `${name} cannot be used: ${sentenceOf(error)}`;
    const fix = 'Start it, correct --store and its password, or check network and firewall.';
    return [...(await inFolder()), problem('store', message, fix)];
  }
}

async function checkContentFolder(config: ServeConfig, { env, cwd, now }: CommandIo): Promise<Finding[]> {
  try {
    const { dir, reason, state } = await findContentFolder({ content: config.content, env, cwd });
    if (state === 'used') return await checkTexts(createFolderContent(dir), reason, config, now());
    const message = `${dir} (${reason}) is missing or empty: the first start fills it with a sample announcement.`;
    return [ok('content', message), await checkFolder('content', dir)];
  } catch (error) {
    return [problem('content', sentenceOf(error), 'Name another folder with --content, or create this one.')];
  }
}

/** @param reason why this content is served */
async function checkTexts(
  content: Content,
  reason: string,
  config: ServeConfig,
  now: number,
): Promise<Finding[]> {
  const { problems, hints, announcements, origins } = await checkContent(content, now);
  const fix = 'Correct it; "typebadge announce validate" shows everything that is wrong.';
  const wrong = [...problems, ...(await checkEditors(content)).problems];
  if (wrong.length > 0)
    return wrong.map(({ file, line, message }) =>
      problem('content', `${file}${line === undefined ? '' : `:${line}`}: ${message}.`, fix),
    );
  const counts = `${plural(announcements, 'announcement')}, ${plural(origins, 'allowed origin')}`;
  const hint =
    hints.length === 0 ? '' : ` "typebadge announce validate" has ${plural(hints.length, 'hint')}.`;
  const found = ok('content', `${content.name} (${reason}) is valid: ${counts}.${hint}`);
  // A server that strangers can reach is meant to be embedded.
  if (!isExposed(config) || origins + config.allowOrigin.length > 0) return [found];
  const allow = 'Allow one: typebadge origins add https://www.example.org';
  return [found, note('content', 'No other site may show the announcements.', allow)];
}

/** Tries to listen there, as the server would. */
async function checkPort(
  about: 'port' | 'metrics',
  address: ListenAddress,
  dataDir: string,
): Promise<Finding> {
  const { host, port } = address;
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  if (error === undefined)
    return ok(about, port === 0 ? 'A free port will be chosen.' : `Port ${port} on ${host} is free.`);
  if (about === 'metrics') return problem(about, sentenceOf(metricsProblem(error, address)));
  const servers = error.code === 'EADDRINUSE' ? await readRegisteredServers(dataDir) : [];
  const running = servers.find(({ url }) => new URL(url).port === String(port));
  if (running === undefined) return problem(about, sentenceOf(listenProblem(error, address)));
  const which = `process ${running.process.pid}, content ${running.content}`;
  return ok(about, `Port ${port} is used by a typebadge server with this data folder (${which}).`);
}
