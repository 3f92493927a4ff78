import type { HistoryFile } from '../../announcements/announcement.ts';
import type { Content, ContentName } from '../../server/stores/content/content.ts';
import { historyText, logText } from '../../server/stores/content/history-file.ts';
import { type CommandIo, RefusedError } from '../program/command-io.ts';
import { chosenServer } from '../program/logins.ts';
import type { Desk } from './desk.ts';
import type { DeskOptions } from './desk-place.ts';
import { openContent } from './local-desk.ts';
import { configFolder, openDesk } from './open-desk.ts';

/** The texts of a folder or a store, or as a server has them now, for commands that need all of them. */
export async function openTexts(options: DeskOptions, io: CommandIo): Promise<Content> {
  if ((await chosenServer(options, io.env, await configFolder())) === undefined)
    return (await openContent(options, io)).content;
  const desk = await openDesk(options, io);
  return copyOf(desk, desk.place.name);
}

/** A copy that nobody can write to. */
async function copyOf(desk: Desk, server: string): Promise<Content> {
  const history = await readHistory(desk);
  const texts: Partial<Record<ContentName, string>> = {
    'history.json': historyText(history),
    'origins.json': `${JSON.stringify({ origins: await desk.origins() }, null, 2)}\n`,
  };
  // It never changes, so it has one version.
  const versionOf = (name: ContentName) => (texts[name] === undefined ? undefined : 'copy');
  return {
    kind: 'store',
    name: server,
    nameOf: (name) => `${name} of ${server}`,
    async read(name) {
      const text = texts[name];
      if (text === undefined) return undefined;
      return { version: 'copy', text, log: name === 'history.json' ? logText(history.changes) : '' };
    },
    update: () => Promise.reject(new RefusedError(`this copy of ${server} cannot be changed`)),
    versions: async (names) => names.map(versionOf),
  };
}

/** All announcements and changes of a desk, in the order in which they were written. */
export async function readHistory(desk: Desk): Promise<HistoryFile> {
  const { announcements } = (await desk.listAll()).value;
  const { changes } = await desk.changesAll();
  return {
    version: 1,
    announcements: announcements.map(({ state: _, ...entry }) => entry).reverse(),
    changes: changes
      .map(({ number: _, undoneBy: __, undoes, ...change }) => ({
        ...change,
        ...(undoes === null ? {} : { undoes }),
      }))
      .reverse(),
  };
}
