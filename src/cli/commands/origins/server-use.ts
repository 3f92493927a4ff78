import type { ContentStore } from '../../../server/stores/content/content-store.ts';
import { dataFolderOf } from '../../desk/content-access.ts';
import { toServerJson } from '../../display/change-report.ts';
import type { Paint } from '../../output/paint.ts';
import { toTerminalText } from '../../output/text-width.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { checkServers, type ServerView } from '../../servers/server-check.ts';

/** Which folder was changed, and which running servers use it. */
export interface ServerUse {
  readonly content: string;
  readonly servers: readonly ServerView[];
}

/** The list is changed by now: an unreadable history only means that servers are not asked. */
export async function findServerUse(store: ContentStore, io: CommandIo): Promise<ServerUse> {
  const history = await store.readHistory().catch(() => undefined);
  const servers =
    history === undefined ? [] : await checkServers(store.content, dataFolderOf(io), history, io);
  return { content: store.content.name, servers };
}

export function toUseJson({ content, servers }: ServerUse) {
  return { content, servers: servers.map(toServerJson) };
}

export function describeUse({ content, servers }: ServerUse, paint: Paint): string[] {
  const using = servers.filter(isUsing);
  return [
    `Content folder: ${toTerminalText(content)}`,
    ...using.map(({ url, isSame }) => {
      const verb = isSame ? 'uses' : 'seems to use';
      return `${paint.good('✔')} The server at ${url} ${verb} this folder.`;
    }),
  ];
}

export function warnOfUse({ servers }: ServerUse): string[] {
  return servers
    .filter((server) => !isUsing(server))
    .map(({ url, content }) => {
      const which = content === null ? 'it seems to serve another content folder' : `it serves ${content}`;
      return `the server at ${url} does not use this list: ${which}`;
    });
}

/** A server that left no mark is known only by its announcements. */
function isUsing({ isSame, content, shows }: ServerView): boolean {
  return isSame || (content === null && shows);
}
