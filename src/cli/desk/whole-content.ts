import type { Content, ContentName } from '../../server/stores/content/content.ts';
import { historyText, logText } from '../../server/stores/content/history-file.ts';
import { type CommandIo, RefusedError } from '../program/command-io.ts';
import type { DeskOptions } from '../program/subcommand.ts';
import { readHistory } from './desk.ts';
import { openContent } from './local-desk.ts';
import { chosenServer, openDesk } from './open-desk.ts';

/** All texts of a folder or a store, or a copy of those that a server has now. */
export async function openTexts(options: DeskOptions, io: CommandIo): Promise<Content> {
  if ((await chosenServer(options, io.env)) === undefined) return (await openContent(options, io)).content;
  const desk = await openDesk(options, io);
  const history = await readHistory(desk);
  const texts: Partial<Record<ContentName, string>> = {
    'history.json': historyText(history),
    'origins.json': `${JSON.stringify({ origins: await desk.origins() }, null, 2)}\n`,
  };
  const version = 'copy'; // it never changes
  return {
    kind: 'store',
    name: desk.name,
    nameOf: (name) => `${name} of ${desk.name}`,
    async read(name) {
      const text = texts[name];
      const log = name === 'history.json' ? logText(history.changes) : '';
      return text === undefined ? undefined : { version, text, log };
    },
    update: () => Promise.reject(new RefusedError(`this copy of ${desk.name} cannot be changed`)),
    versions: async (names) => names.map((name) => (texts[name] === undefined ? undefined : version)),
  };
}
