import type { Content } from '../../server/stores/content/content.ts';
import { historyText, logText } from '../../server/stores/content/history-file.ts';
import { type CommandIo, UsageError } from '../program/command-io.ts';
import type { DeskOptions } from '../program/subcommand.ts';
import { readHistory } from './desk.ts';
import type { OpeningOptions } from './local-desk.ts';

/** Where an editor works: on a content folder, on a store that servers share, or on a server elsewhere. */
export type OpenDesk = Awaited<ReturnType<typeof openDesk>>;

/** Opens the place that options, variables or the last login name; only the code for it is loaded. */
export async function openDesk(options: DeskOptions, io: CommandIo, opening: OpeningOptions = {}) {
  const chosen = await chosenServer(options, io.env);
  const desk =
    chosen === undefined
      ? await (await import('./local-desk.ts')).openLocalDesk(options, io, opening)
      : await (await import('./server-desk.ts')).openServerDesk(chosen.server, chosen.reason, options, io);
  const [place] = (['server', 'store', 'content'] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[`--${name}`, value]];
  });
  return {
    ...desk,
    /** A command that works on the same announcements: a suggestion must not lead elsewhere. */
    command: (...words: readonly string[]) =>
      ['typebadge', ...words, ...(place ?? [])].map(shellWord).join(' '),
  };
}

/**
 * The server to work on, and why: `--server`, TYPEBADGE_SERVER, or that of the last `login`. Undefined: a
 * folder or a store of this computer, because an option or a variable names one, or nobody is logged in.
 */
export async function chosenServer({ server, content, store }: DeskOptions, env: NodeJS.ProcessEnv) {
  const isHere = content !== undefined || store !== undefined;
  if (server !== undefined && isHere) {
    const other = content === undefined ? '--store' : '--content';
    throw new UsageError(`give --server or ${other}, not both: announcements are in one place`);
  }
  if (server !== undefined) return { server, reason: '--server' };
  if (isHere) return undefined;
  if (env.TYPEBADGE_SERVER) return { server: env.TYPEBADGE_SERVER, reason: 'TYPEBADGE_SERVER' };
  if (env.TYPEBADGE_CONTENT || env.TYPEBADGE_STORE) return undefined;
  const { defaultServer } = await (await import('./logins.ts')).readLogins();
  return defaultServer === null ? undefined : { server: defaultServer, reason: 'typebadge login' };
}

/** All texts of a folder or a store, or a copy of those that a server has now. */
export async function openTexts(options: DeskOptions, io: CommandIo): Promise<Content> {
  if ((await chosenServer(options, io.env)) === undefined)
    return (await (await import('./local-desk.ts')).openContent(options, io)).content;
  const desk = await openDesk(options, io);
  const history = await readHistory(desk);
  const { addText, originsText } = await import('../../server/stores/content/content-store.ts');
  const { createRecordContent } = await import('../../server/stores/content/record-content.ts');
  const { createMemoryRecords } = await import('../../server/stores/records/memory-records.ts');
  const copy = createRecordContent(createMemoryRecords(), desk.name);
  await addText(copy, 'history.json', { text: historyText(history), log: logText(history.changes) });
  await addText(copy, 'origins.json', { text: originsText(await desk.origins(), undefined), log: '' });
  return copy;
}

/** A text as one word of a command line that can be pasted, quoted if the shell needs it. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
