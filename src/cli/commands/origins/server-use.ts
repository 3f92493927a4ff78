import type { OpenDesk } from '../../desk/open-desk.ts';
import { toServerJson } from '../../display/change-report.ts';
import { type DeskPlace, describePlace } from '../../display/desk-place.ts';
import type { Paint } from '../../output/paint.ts';
import type { ServerView } from '../../servers/server-check.ts';

/** What was changed, and which running servers use it. */
export interface ServerUse {
  readonly place: DeskPlace;
  readonly servers: readonly ServerView[];
}

/** The list is changed by now: an unreadable history only means that servers are not asked. */
export async function findServerUse(desk: OpenDesk): Promise<ServerUse> {
  return { place: desk.place, servers: await desk.views().catch(() => []) };
}

export function toUseJson({ place, servers }: ServerUse) {
  return { content: place.name, servers: servers.map(toServerJson) };
}

export function describeUse({ place, servers }: ServerUse, paint: Paint): string[] {
  const using = servers.filter(isUsing);
  return [
    describePlace(place),
    ...using.map(({ url, isSame }) => {
      const verb = isSame ? 'uses' : 'seems to use';
      const what = place.kind === 'folder' ? 'this folder' : 'this list';
      return `${paint.good('✔')} The server at ${url} ${verb} ${what}.`;
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
