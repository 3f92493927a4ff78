import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { writeProblem } from '../../../kit/files/file-problem.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { checkEditors } from '../../../server/desk/editors/editors-document.ts';
import type { ListenAddress } from '../../../server/settings/config.ts';
import { listenProblem, metricsProblem } from '../../../server/settings/listen-problem.ts';
import { storeText } from '../../../server/settings/store-url.ts';
import type { Content } from '../../../server/stores/content/content.ts';
import { checkContent } from '../../../server/stores/content/content-check.ts';
import { resolveContentFolder } from '../../../server/stores/content/content-folder.ts';
import { createFolderContent } from '../../../server/stores/content/folder-content.ts';
import type { NamedStore } from '../../desk/visited-store.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { askServer, readMarks } from '../../servers/running-servers.ts';
import { type Finding, note, ok, problem, sentenceOf } from './finding.ts';

/** Bytes without which no server starts. */
const leastSpace = 1024 * 1024;

/** Whether a folder, or the one in which it will be made, takes a file: it is tried, and nothing stays. */
export async function checkFolder(about: string, dir: string, isRead = false): Promise<Finding> {
  const existing = existingAbove(dir);
  try {
    const probe = await mkdtemp(join(existing, '.typebadge-doctor-'));
    try {
      await writeFile(join(probe, 'probe'), Buffer.alloc(leastSpace));
    } finally {
      await rm(probe, { recursive: true, force: true });
    }
    const where = existing === dir ? dir : `${dir} will be made in ${existing}, which`;
    return ok(about, `${where} can be written to.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return problem(about, `${existing} is not a folder.`, 'Name another folder.');
    const loss = isRead ? ' It is served, but nobody can publish.' : '';
    const message = `${existing} cannot be written to: ${writeProblem(error)}.${loss}`;
    const fix =
      'Free some space, run as its owner, change its rights (chown, chmod), or name another folder.';
    return (isRead ? note : problem)(about, message, fix);
  }
}

function existingAbove(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : existingAbove(dirname(dir));
}

/** @param content the folder of `--content`; undefined: one is found */
export async function checkContentFolder(
  content: string | undefined,
  isInStore: boolean,
  io: CommandIo,
): Promise<Finding[]> {
  try {
    const asked = { content, env: io.env, cwd: io.cwd, fillsEmpty: true, onlyLooks: true };
    const { dir, reason, isNew } = await resolveContentFolder(asked);
    const named = `${dir} (${reason})`;
    if (isInStore) return [ok('content', `${named} is not read: the store has the content.`)];
    if (!isNew)
      return [
        await checkFolder('content', dir, true),
        ...(await checkTexts(createFolderContent(dir), reason, io.now())),
      ];
    const message = `${named} is missing or empty: the first start fills it with a sample announcement.`;
    return [ok('content', message), await checkFolder('content', dir)];
  } catch (error) {
    return [problem('content', sentenceOf(error), 'Name another folder with --content, or make this one.')];
  }
}

/** @param reason why it is this content that is served */
async function checkTexts(content: Content, reason: string, now: number): Promise<Finding[]> {
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
  return [
    ok('content', `${content.name} (${reason}) is valid: ${counts}.${hint}`),
    ...(origins === 0 ? [noOrigins] : []),
  ];
}

/** Only of a server that strangers reach: it is there to be embedded. */
export const noOrigins = note(
  'content',
  'No other site may show the announcements.',
  'Allow one: typebadge origins add https://www.example.org',
);

/** Tries to listen there, as the server would. */
export async function checkPort(
  about: 'port' | 'metrics',
  address: ListenAddress,
  dataDir: string,
): Promise<Finding> {
  const error = await tryToListen(address);
  const { host, port } = address;
  if (error === undefined)
    return ok(about, port === 0 ? 'A free port will be taken.' : `Port ${port} on ${host} is free.`);
  if (about === 'metrics') return problem(about, sentenceOf(metricsProblem(error, address)));
  const taken = problem(about, sentenceOf(listenProblem(error, address)));
  if (error.code !== 'EADDRINUSE') return taken;
  const running = (await readMarks(dataDir)).find(({ url }) => new URL(url).port === String(port));
  if (running !== undefined) {
    const which = `process ${running.process.pid}, content ${running.content}`;
    return ok(about, `Port ${port} is of a typebadge server that runs with this data folder (${which}).`);
  }
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '::1': '[::1]' }[host] ?? host;
  if (!isReadiness(await askServer(`http://${reachable}:${port}`, '/health/ready'))) return taken;
  const message = `Port ${port} is of a typebadge server that runs with another data folder.`;
  return note(about, message, 'Stop it, or choose another port with --port.');
}

/** Resolves to undefined if it worked. */
function tryToListen({ host, port }: ListenAddress): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** What only a typebadge server answers of itself. */
function isReadiness(answer: unknown): boolean {
  const { status, version, reasons } = Object(answer) as Record<string, unknown>;
  return status === 'ready' ? typeof version === 'string' : status === 'unready' && Array.isArray(reasons);
}

export interface StoreFindings {
  readonly findings: readonly Finding[];
  /** Whether servers with this store read their content from there. */
  readonly hasContent: boolean;
}

/** Whether the store answers, is new enough, keeps what it has, and has valid content. */
export async function checkStoreAt(store: NamedStore, now: number): Promise<StoreFindings> {
  const [{ checkStore }, { createVisitedStore, openAnsweringStore }] = await Promise.all([
    import('../../../server/stores/records/store-check.ts'),
    import('../../desk/visited-store.ts'),
  ]);
  const name = storeText(store.address);
  try {
    const connection = await openAnsweringStore(store.address);
    const warnings = await checkStore(connection).finally(() => connection.close());
    const found = [ok('store', `${name} answers.`), ...warnings.map((warning) => note('store', warning))];
    const { content } = createVisitedStore(store);
    if ((await content.read('history.json')) === undefined) {
      const empty = 'The store has none yet: the first server that starts fills it from its folder.';
      return { findings: [...found, ok('content', empty)], hasContent: false };
    }
    const reason = 'the store, which takes precedence over the folder';
    return { findings: [...found, ...(await checkTexts(content, reason, now))], hasContent: true };
  } catch (error) {
    const message = `${name} cannot be used: ${sentenceOf(error)}`;
    const fix = 'Start it, correct --store and its password, or check network and firewall.';
    return { findings: [problem('store', message, fix)], hasContent: false };
  }
}
