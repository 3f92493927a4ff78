import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { writeProblem } from '../../../kit/files/file-problem.ts';
import { readPackageVersion } from '../../../kit/package-files.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { readLogo } from '../../../server/badge/pictures/logo.ts';
import { checkEditors } from '../../../server/desk/editors-document.ts';
import { isExposed, isLoopback, type ServeConfig } from '../../../server/settings/config.ts';
import type { ListenAddress } from '../../../server/settings/config-parsers.ts';
import {
  findMissingProxy,
  listenProblem,
  metricsProblem,
  proxyFix,
} from '../../../server/settings/start-problems.ts';
import { storeText } from '../../../server/settings/store-url.ts';
import { findRefusedHost } from '../../../server/start.ts';
import type { Content } from '../../../server/stores/content/content.ts';
import { checkContent } from '../../../server/stores/content/content-check.ts';
import { findContentFolder } from '../../../server/stores/content/content-folder.ts';
import { createFolderContent } from '../../../server/stores/content/folder-content.ts';
import type { StoreConnection } from '../../../server/stores/records/store-connection.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { asSentence } from '../../program/report.ts';
import { readRegisteredServers } from '../../serving/running-servers.ts';
import {
  readWebhookSecret,
  unknownVariables,
  visiblePassword,
  withSecrets,
} from '../../serving/serve-options.ts';

export interface Finding {
  /** What it is about, such as `content` or `store`. */
  readonly about: string;
  /** `problem`: a server does not start, or does not work. `note`: allowed, but perhaps not intended. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  readonly fix?: string;
}

type Add = (state: Finding['state'], about: string, message: string, fix?: string) => void;

/** Tries everything that a server with these settings needs, without changing anything. */
export async function checkServer(
  config: ServeConfig,
  isStoreOnCommandLine: boolean,
  io: CommandIo,
): Promise<readonly Finding[]> {
  const { cwd, env } = io;
  const { brand, webhook, metrics } = config;
  const dataDir = resolve(cwd, config.data);
  const logo = config.logo && resolve(cwd, config.logo);
  const findings: Finding[] = [];
  const add: Add = (state, about, message, fix) => {
    findings.push({ about, state, message, ...(fix !== undefined && { fix }) });
  };
  const trySetting = async (read: () => unknown, fix?: string) => {
    try {
      await read();
    } catch (error) {
      add('problem', 'settings', asSentence((error as Error).message), fix);
    }
  };
  add(
    'ok',
    'program',
    `typebadge ${readPackageVersion()} on Node.js ${process.versions.node}, ${process.platform}.`,
  );
  for (const { message, fix } of unknownVariables(env))
    add(fix === undefined ? 'note' : 'problem', 'settings', message, fix);
  if (isStoreOnCommandLine && config.store?.password !== undefined)
    add('problem', 'settings', visiblePassword);
  await trySetting(() => config.store && withSecrets(config.store, env), 'Correct the path, or its rights.');
  await trySetting(() => readLogo({ logo, brand }), 'Correct --logo: an SVG or PNG file of at most 32 KiB.');
  await trySetting(() => readWebhookSecret(webhook.length > 0, env));
  checkExposure(config, add);
  await checkContentAndStore(config, io, add);
  await checkFolder('data', dataDir, add);
  await checkPort('port', config, dataDir, add);
  if (metrics !== undefined) await checkPort('metrics', metrics, dataDir, add);
  return findings;
}

/** Settings that are allowed, but rarely intended. */
function checkExposure(config: ServeConfig, add: Add): void {
  const missing = findMissingProxy(config);
  if (missing !== undefined) add('problem', 'access', missing, proxyFix);
  else if (!isExposed(config)) add('ok', 'access', 'Only programs of this machine reach the server.');
  const refused = findRefusedHost(config);
  if (refused !== undefined) add('note', 'access', refused.message, refused.fix);
  if (!isExposed(config)) return;
  add('ok', 'access', 'Strangers can reach the server: players are kept apart, and limits apply.');
  const naming = 'Name those it should answer to with --allow-host.';
  if (!isLoopback(config.host) && config.allowHost.length === 0)
    add('note', 'access', 'It answers to every host name.', naming);
  const message = 'Feeds, pages and tags name the address it listens on, which visitors cannot reach.';
  if (config.publicUrl === undefined) add('note', 'access', message, 'Set --public-url.');
}

/** A server does not start with less free space, in bytes. */
const minSpace = 1024 * 1024;

/** Tries to create a file in a folder or, if it is missing, in the one in which it will be created. */
async function checkFolder(about: 'content' | 'data', dir: string, add: Add): Promise<void> {
  const existing = existingAbove(dir);
  try {
    const probe = await mkdtemp(join(existing, '.typebadge-doctor-'));
    try {
      await writeFile(join(probe, 'probe'), Buffer.alloc(minSpace));
    } finally {
      await rm(probe, { recursive: true, force: true });
    }
    const where = existing === dir ? dir : `${dir} will be created in ${existing}, which`;
    add('ok', about, `${where} can be written to.`);
  } catch (error) {
    const message = `${existing} cannot be written to: ${writeProblem(error)}.`;
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    const way = isFull ? 'Free some space' : 'Run as its owner, change its rights (chown, chmod)';
    const fix = `${way}, or name another folder.`;
    add('problem', about, message, fix);
  }
}

function existingAbove(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : existingAbove(dirname(dir));
}

/**
 * Whether the store answers, is new enough and keeps what it has, and whether the server would find valid
 * content: in the store, or if that has none in its folder.
 */
async function checkContentAndStore(config: ServeConfig, io: CommandIo, add: Add): Promise<void> {
  const { store, storePrefix: prefix } = config;
  if (store === undefined) {
    await checkContentFolder(config, io, add);
    return add('ok', 'store', 'None: sessions and rounds are in the data folder.');
  }
  const { checkStore } = await import('../../../server/stores/records/store-connection.ts');
  const { visitStore } = await import('../../desk/on-demand-store.ts');
  const check = async (_: unknown, content: Content, connection: StoreConnection) => {
    const warnings = await checkStore(connection);
    const isEmpty = (await content.read('history.json')) === undefined;
    const isLost = isEmpty && (await content.hasLost());
    if (isEmpty && !isLost) await checkContentFolder(config, io, add, true);
    add('ok', 'store', `${storeText(store)} answers.`);
    for (const warning of warnings) add('note', 'store', warning);
    const restore = 'Restore the backup of the store, or fill it: typebadge store import';
    if (isLost) add('problem', 'content', `The announcements of ${content.name} were lost.`, restore);
    if (isEmpty) return;
    await checkTexts(content, 'the store, which takes precedence over the folder', config, io, add);
  };
  try {
    await visitStore({ address: withSecrets(store, io.env), prefix }, check, (problem) => problem);
  } catch (error) {
    await checkContentFolder(config, io, add);
    const fix = 'Start it, correct --store and its password, or check network and firewall.';
    add(
      'problem',
      'store',
      `${storeText(store)} cannot be used: ${asSentence((error as Error).message)}`,
      fix,
    );
  }
}

async function checkContentFolder(
  config: ServeConfig,
  io: CommandIo,
  add: Add,
  isStoreEmpty = false,
): Promise<void> {
  try {
    const { dir, reason, state, isNamed } = await findContentFolder({ ...io, content: config.content });
    if (isStoreEmpty && isNamed && state === 'missing') {
      const message = `${dir} (${reason}) is missing: nothing could fill the store, which has no content.`;
      return add('problem', 'content', message, 'Create it, or correct its name.');
    }
    const empty = 'The store has none yet: the first server that starts fills it from its folder.';
    if (isStoreEmpty) add('ok', 'content', empty);
    if (state === 'used') return await checkTexts(createFolderContent(dir), reason, config, io, add);
    const filled = 'is missing or empty: the first start fills it with a sample announcement.';
    add('ok', 'content', `${dir} (${reason}) ${filled}`);
    await checkFolder('content', dir, add);
  } catch (error) {
    const fix = 'Name another folder with --content, or create this one.';
    add('problem', 'content', asSentence((error as Error).message), fix);
  }
}

/** @param reason why this content is served */
async function checkTexts(
  content: Content,
  reason: string,
  config: ServeConfig,
  io: CommandIo,
  add: Add,
): Promise<void> {
  const { problems, hints, announcements, origins } = await checkContent(content, io.now());
  const wrong = [...problems, ...(await checkEditors(content)).problems];
  for (const { file, line, message } of wrong) {
    const fix = 'Correct it; "typebadge announce validate" shows everything that is wrong.';
    add('problem', 'content', `${file}${line === undefined ? '' : `:${line}`}: ${message}.`, fix);
  }
  if (wrong.length > 0) return;
  const counts = `${plural(announcements, 'announcement')}, ${plural(origins, 'allowed origin')}`;
  const hint =
    hints.length === 0 ? '' : ` "typebadge announce validate" has ${plural(hints.length, 'hint')}.`;
  add('ok', 'content', `${content.name} (${reason}) is valid: ${counts}.${hint}`);
  // A server that strangers can reach is meant to be embedded.
  if (!isExposed(config) || origins + config.allowOrigin.length > 0) return;
  const allow = 'Allow one: typebadge origins add https://www.example.org';
  add('note', 'content', 'No other site may show the announcements.', allow);
}

/** Tries to listen there, as the server would. */
async function checkPort(
  about: 'port' | 'metrics',
  address: ListenAddress,
  dataDir: string,
  add: Add,
): Promise<void> {
  const { host, port } = address;
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  if (error === undefined)
    return add('ok', about, port === 0 ? 'A free port will be chosen.' : `Port ${port} on ${host} is free.`);
  if (about === 'metrics') return add('problem', about, asSentence(metricsProblem(error, address)));
  const servers = error.code === 'EADDRINUSE' ? await readRegisteredServers(dataDir) : [];
  const running = servers.find(({ url }) => new URL(url).port === String(port));
  if (running === undefined) return add('problem', about, asSentence(listenProblem(error, address)));
  const which = `process ${Number.parseInt(running.process, 10)}, content ${running.content}`;
  add('ok', about, `Port ${port} is used by a typebadge server with this data folder (${which}).`);
}
