import { resolve } from 'node:path';
import { makeFolder } from '../../../kit/files/folder.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { newServeConfig, type ServeConfig } from '../../../server/settings/config.ts';
import { storeText } from '../../../server/settings/store-url.ts';
import { type Content, contentNames } from '../../../server/stores/content/content.ts';
import { findContentFolder } from '../../../server/stores/content/content-folder.ts';
import { addText, requireServable } from '../../../server/stores/content/content-store.ts';
import { createFolderContent } from '../../../server/stores/content/folder-content.ts';
import { createFileRecords, recordsFolder } from '../../../server/stores/records/file-records.ts';
import type { Records } from '../../../server/stores/records/records.ts';
import { visitStore } from '../../desk/on-demand-store.ts';
import { type CommandIo, RefusedError, UsageError } from '../../program/command-io.ts';
import type { TextOut } from '../../program/paint.ts';
import type { Report, ReportOptions } from '../../program/report.ts';
import { findSettingsProblem, withSecrets } from '../../serving/secrets.ts';
import { type Copied, copyRecords, recordHashes } from './copy-records.ts';

type Setting = 'store' | 'storePrefix' | 'data' | 'content' | 'sessionTtl' | 'keepRounds';

export interface StoreCommandOptions extends ReportOptions, Partial<Pick<ServeConfig, Setting>> {
  readonly isStoreOnCommandLine: boolean;
}

export type StoreVerb = 'import' | 'export' | 'check';

interface Side {
  readonly name: string;
  readonly content: Content;
  readonly records: Records;
}

export async function runStore(
  verb: StoreVerb,
  options: StoreCommandOptions,
  io: CommandIo,
): Promise<Report> {
  const { isStoreOnCommandLine, json = false, ...given } = options;
  const config = newServeConfig(given);
  if (config.store === undefined)
    throw new UsageError('name the store, such as --store redis://127.0.0.1:6379; or set TYPEBADGE_STORE');
  const problem = findSettingsProblem(config, isStoreOnCommandLine);
  if (problem !== undefined) throw new UsageError(problem);
  const dataDir = resolve(io.cwd, config.data);
  const named = { content: config.content, env: io.env, cwd: io.cwd };
  const { dir, state } = await findContentFolder(named);
  if (state === 'missing' && verb !== 'export' && config.content !== undefined)
    throw new RefusedError(`the content folder ${dir} does not exist. Nothing was copied`);
  const address = withSecrets(config.store, io.env) ?? config.store;
  /** What is damaged in the folder, a sentence each; reported only once. */
  const damage: string[] = [];
  const fileRecords = createFileRecords({
    ...{ dir: recordsFolder(dataDir), clock: io.now },
    onDamage: (message) => void damage.push(message),
  });
  const folder = { name: dataDir, content: createFolderContent(dir), records: fileRecords };
  const work = async (records: Records, content: Content) => {
    const store = { name: content.name, content, records };
    if (verb === 'check') return compare(folder, store, damage);
    if (verb === 'import') return copyAll(folder, store, config, damage, json, io);
    await refuseOtherContent(folder, store);
    makeFolder(dir);
    return copyAll(store, folder, config, damage, json, io);
  };
  const refusal = ({ message }: Error) =>
    new RefusedError(
      `the store ${storeText(address)} cannot be used: ${message} Run it again to continue from here`,
    );
  return visitStore({ address, prefix: config.storePrefix }, work, refusal).finally(fileRecords.close);
}

/** Called before anything is copied: a folder with parts of two stores would be a copy of neither. */
async function refuseOtherContent(folder: Side, store: Side): Promise<void> {
  const names = differences(await contentTexts(folder), await contentTexts(store))
    .flatMap(({ what, how }) => (how === 'different' ? what : []))
    .join(', ');
  if (names === '') return;
  throw new RefusedError(
    `${folder.content.name} already holds other content (${names}). Export into an empty folder (--content DIR), or move those files away first. Nothing was copied`,
  );
}

/** Maximum number of differences shown to people; programs get all. */
const maxShown = 20;

/** Exit code 1 if they differ. */
async function compare(folder: Side, store: Side, damage: readonly string[]): Promise<Report> {
  const found = [
    ...differences(await contentTexts(folder), await contentTexts(store)),
    ...differences(await recordHashes(folder.records), await recordHashes(store.records)),
  ];
  const isSame = found.length === 0;
  const more = found.length - maxShown;
  return {
    value: { same: isSame, differences: found, folder: folder.name, store: store.name },
    exitCode: isSame ? 0 : 1,
    text: (paint) =>
      [
        ...found.slice(0, maxShown).map(({ what, how }) => `  ${what}: ${how}`),
        ...(more > 0 ? [`  and ${more} more (--json has all)`] : []),
        isSame
          ? `${paint.good('✔')} ${store.name} holds what ${folder.name} does.`
          : `${paint.bad('✘')} ${plural(found.length, 'difference')}.`,
      ].join('\n'),
    warnings: damage,
  };
}

async function contentTexts({ content }: Side): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of contentNames) {
    const found = await content.read(name);
    if (found !== undefined) texts.set(name, `${found.text}${found.log}`);
  }
  return texts;
}

/** `what`: such as `history.json`, `session/…`, `rounds/local` or `pulse/2026-11/…`. */
function differences(folder: ReadonlyMap<string, string>, store: ReadonlyMap<string, string>) {
  const names = [...new Set([...folder.keys(), ...store.keys()])];
  return names
    .filter((what) => folder.get(what) !== store.get(what))
    .map((what) => {
      const missing = folder.has(what) ? 'only in the folder' : 'only in the store';
      return { what, how: folder.has(what) && store.has(what) ? 'different' : missing };
    });
}

async function copyAll(
  source: Side,
  target: Side,
  { sessionTtl, keepRounds }: ServeConfig,
  damage: readonly string[],
  isForPrograms: boolean,
  { err, now }: CommandIo,
): Promise<Report> {
  const { kept, ...content } = await copyContent(source.content, target.content);
  const isShown = !isForPrograms && err.isTTY === true;
  const sides = { source: source.records, target: target.records };
  const onProgress = isShown ? createProgressLine(err) : () => {};
  const copying = { ...sides, sessionTtl, keepRounds, now: now(), onProgress };
  const { hasSameKey, ...records } = await copyRecords(copying).finally(() => isShown && err.write(newLine));
  const warnings = [...kept, ...damage];
  if (!hasSameKey)
    warnings.push(
      `${target.name} hashes addresses with another secret: players without a key will not find their rounds`,
    );
  const { unreadable = 0 } = records.rounds;
  if (unreadable > 0)
    warnings.push(
      `${plural(unreadable, 'round')} could not be read or copied: files of ${source.name} are damaged or missing`,
    );
  const isComplete = unreadable === 0 && damage.length === 0;
  const parts: [string, Copied][] = Object.entries({ content, ...records });
  return {
    value: { from: source.name, to: target.name, content, ...records, kept: warnings },
    exitCode: isComplete ? 0 : 1,
    text: (paint) =>
      [
        `${isComplete ? paint.good('✔') : paint.bad('✘')} Copied from ${source.name} to ${target.name}:`,
        ...parts.map(([name, { found, added }]) => {
          const others = found === added ? '' : ', the others were there already';
          return `  ${name.padEnd(9)} ${added} of ${found} added${others}`;
        }),
      ].join('\n'),
    warnings,
  };
}

/** `kept`: content of the target that differs from the source's, a sentence each. */
async function copyContent(
  source: Content,
  target: Content,
): Promise<Copied & { readonly kept: readonly string[] }> {
  await requireServable(source);
  const kept: string[] = [];
  let [found, added] = [0, 0];
  // The announcements come last: with them, a store counts as filled.
  for (const name of [...contentNames].reverse()) {
    const text = await source.read(name);
    if (text === undefined) continue;
    found += 1;
    if (await addText(target, name, text)) added += 1;
    else if ((await target.read(name))?.text !== text.text)
      kept.push(`${target.nameOf(name)} is there already, with other content`);
  }
  return { found, added, kept };
}

const redrawAfter = 100;
const newLine = '\r\u001B[K';

/** Shows progress in one line of a terminal, which is overwritten. */
function createProgressLine(err: TextOut) {
  let next = 0;
  return (step: string, done: number, total: number): void => {
    if (performance.now() < next) return;
    next = performance.now() + redrawAfter;
    err.write(`${newLine}${step}: ${done} of ${total}`);
  };
}
