import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { makeFolder } from '../../../kit/files/folder.ts';
import { plural } from '../../../kit/terminal-text.ts';
import { storeText } from '../../../server/settings/store-url.ts';
import { type Content, contentNames } from '../../../server/stores/content/content.ts';
import { findContentFolder } from '../../../server/stores/content/content-folder.ts';
import { addText, requireServable } from '../../../server/stores/content/content-store.ts';
import { createFolderContent } from '../../../server/stores/content/folder-content.ts';
import { createFileRecords, recordsFolder } from '../../../server/stores/records/file-records.ts';
import type { Records } from '../../../server/stores/records/records.ts';
import { visitStore } from '../../desk/on-demand-store.ts';
import { sentenceOf } from '../../program/arguments.ts';
import {
  type CommandIo,
  type Invocation,
  RefusedError,
  type TextOut,
  UsageError,
} from '../../program/command-io.ts';
import { presentIn, type Report, type ReportOptions } from '../../program/report.ts';
import { readConfig, serveOptions } from '../../serving/serve-options.ts';
import { type Copied, copyRecords, type RecordCopying, recordHashes } from './copy-records.ts';

const overview = `
A store is the Redis or Valkey that several servers share (serve --store). These commands copy what a \
server keeps in its folders into a store and back: content (announcements, allow-list, editors), open \
sessions, finished rounds and the counters of the badge. Existing data is never replaced, and nothing is \
counted twice, so running them again, even after an interruption, is harmless; but it restores the data of \
players who have deleted it since the last copy. Servers may run meanwhile; what they change after it was \
read is not copied.

Examples:
  $ typebadge store import --store redis://127.0.0.1:6379
  $ typebadge store check --store redis://127.0.0.1:6379
  $ typebadge store export --store redis://127.0.0.1:6379 \\
      --data ./data --content ./content`;

const verbs = {
  import: 'copy folders into a store',
  export: 'copy a store into folders',
  check: 'compare folders and store; exit code 1 if they differ',
} as const;

const shared = ['store', 'store-prefix', 'data', 'content', 'session-ttl', 'keep-rounds'];

export function createStoreCommand(invocation: Invocation): Command {
  const store = new Command('store')
    .description('Copy what a server keeps between its folders and a store, and compare the two.')
    .addHelpText('after', overview);
  for (const [name, summary] of Object.entries(verbs)) {
    const command = store
      .command(name)
      .summary(summary)
      .description(sentenceOf(summary))
      .addHelpText('after', `\nExample:\n  $ typebadge store ${name} --store redis://127.0.0.1:6379`);
    for (const option of serveOptions()) if (shared.includes(option.name())) command.addOption(option);
    command
      .option('--json', 'print the result as JSON, for programs')
      .action(() =>
        presentIn(invocation, command.opts(), (io) => runStore(name as keyof typeof verbs, command, io)),
      );
  }
  return store;
}

interface Side {
  readonly name: string;
  readonly content: Content;
  readonly records: Records;
}

/** Milliseconds for one command to the store: one may carry all rounds of a player. */
const commandTimeout = 60_000;

async function runStore(verb: keyof typeof verbs, command: Command, io: CommandIo): Promise<Report> {
  const config = readConfig(command, io.env);
  const { store, storePrefix: prefix } = config;
  if (store === undefined)
    throw new UsageError('name the store, such as --store redis://127.0.0.1:6379; or set TYPEBADGE_STORE');
  const dataDir = resolve(io.cwd, config.data);
  const { dir, state } = await findContentFolder({ ...io, content: config.content });
  if (state === 'missing' && verb !== 'export' && config.content !== undefined)
    throw new RefusedError(`the content folder ${dir} does not exist. Nothing was copied`);
  if (verb === 'import' && command.getOptionValue('data') !== undefined && !existsSync(dataDir))
    throw new RefusedError(`the data folder ${dataDir} does not exist. Nothing was copied`);
  /** What is damaged in the folder, a sentence each; reported only once. */
  const damage: string[] = [];
  const fileRecords = createFileRecords({
    ...{ dir: recordsFolder(dataDir), clock: io.now },
    onDamage: (message) => void damage.push(message),
  });
  const folder = { name: dataDir, content: createFolderContent(dir), records: fileRecords };
  const isShown = command.opts<ReportOptions>().json !== true && io.err.isTTY === true;
  const copy = (source: Side, target: Side) =>
    copyAll(source, target, { ...config, now: io.now() }, damage, isShown ? io.err : undefined);
  const work = async (records: Records, content: Content) => {
    const shared = { name: content.name, content, records };
    if (verb === 'check') return compare(folder, shared, damage);
    await requireCopyable(verb === 'import' ? folder : shared);
    if (verb === 'import') return copy(folder, shared);
    await refuseOtherContent(folder, shared);
    makeFolder(dir);
    return copy(shared, folder);
  };
  const refusal = ({ message }: Error) =>
    new RefusedError(
      `${verb} with the store ${storeText(store)} cannot go on: ${message} Run it again to continue from here`,
    );
  return visitStore({ address: store, prefix }, work, refusal, commandTimeout).finally(fileRecords.close);
}

/** A place in which nothing at all is found is a misspelt one, or was emptied: its copy would be no backup. */
async function requireCopyable({ name, content, records }: Side): Promise<void> {
  await requireServable(content);
  const versions = await content.versions(contentNames);
  if (versions.some((version) => version !== undefined)) return;
  for (const prefix of ['session/', 'rounds/', 'pulse/']) for await (const _ of records.ids(prefix)) return;
  const [places, options] =
    content.kind === 'store'
      ? [name, '--store and --store-prefix']
      : [`${name} and ${content.name}`, '--data and --content'];
  throw new RefusedError(`there is nothing to copy in ${places}: check ${options}. Nothing was copied`);
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

/** @param err where progress is shown, in one line that is overwritten */
async function copyAll(
  source: Side,
  target: Side,
  settings: Pick<RecordCopying, 'sessionTtl' | 'keepRounds' | 'now'>,
  damage: readonly string[],
  err: TextOut | undefined,
): Promise<Report> {
  const { kept, ...content } = await copyContent(source.content, target.content);
  let next = 0;
  const onProgress: RecordCopying['onProgress'] = (step, done, total) => {
    if (performance.now() < next) return;
    next = performance.now() + redrawAfter;
    err?.write(`${newLine}${step}: ${done} of ${total}`);
  };
  const sides = { source: source.records, target: target.records };
  const { hasSameKey, ...records } = await copyRecords({ ...settings, ...sides, onProgress }).finally(() =>
    err?.write(newLine),
  );
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
  return {
    value: { from: source.name, to: target.name, content, ...records, kept: warnings },
    exitCode: isComplete ? 0 : 1,
    text: (paint) =>
      [
        `${isComplete ? paint.good('✔') : paint.bad('✘')} Copied from ${source.name} to ${target.name}:`,
        ...Object.entries({ content, ...records }).map(([name, { found, added }]) => {
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

/** Milliseconds. */
const redrawAfter = 100;
const newLine = '\r\u001B[K';
