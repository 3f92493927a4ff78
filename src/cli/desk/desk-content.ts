import { createHash } from 'node:crypto';
import type { Content, ContentName } from '../../server/stores/content/content.ts';
import { historyText, logText } from '../../server/stores/content/history-file.ts';
import { RefusedError } from '../program/command-errors.ts';
import type { CommandIo } from '../program/command-io.ts';
import { openContent } from './content-access.ts';
import { type DeskOptions, openDesk, serverOf } from './open-desk.ts';
import type { Desk } from './port/desk.ts';

/** The texts that a command looks through as a whole: of the folder, or as a server gives them now. */
export async function openTexts(options: DeskOptions, io: CommandIo): Promise<Content> {
  if (serverOf(options, io) === undefined) return (await openContent(options, io)).content;
  return toContent(await openDesk(options, io));
}

/** A copy that nobody can write to. */
async function toContent(desk: Desk): Promise<Content> {
  const { name: server } = desk.place;
  const { history } = await desk.read();
  const texts: Partial<Record<ContentName, string>> = {
    'history.json': historyText(history),
    'origins.json': `${JSON.stringify({ origins: await desk.origins() }, null, 2)}\n`,
  };
  const versionOf = (name: ContentName) => {
    const text = texts[name];
    return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
  };
  return {
    kind: 'store',
    name: server,
    nameOf: (name) => `${name} of ${server}`,
    async read(name) {
      const [text, version] = [texts[name], versionOf(name)];
      return text === undefined || version === undefined
        ? undefined
        : { version, text, log: name === 'history.json' ? logText(history.changes) : '' };
    },
    update: () => Promise.reject(new RefusedError(`this copy of ${server} cannot be changed`)),
    versions: async (names) => names.map(versionOf),
  };
}
