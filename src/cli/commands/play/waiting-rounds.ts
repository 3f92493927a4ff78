import { join } from 'node:path';
import { toVisible } from '../../../kit/visible-text.ts';
import { createSessionClient } from '../../../tui/link/session-client.ts';
import type { FoundServer } from '../../../tui/play-config.ts';
import type { Folders } from '../../../tui/record/folders.ts';
import { readUnsentRounds, removeUnsent, type UnsentRound } from '../../../tui/record/unsent-journal.ts';
import { toCountText } from '../../../tui/text/figures.ts';
import { handleUnsentRounds, isWaiting, offlineServer } from '../../../tui/unsent-rounds.ts';
import type { WaitingAction } from './waiting-actions.ts';

/**
 * Finished rounds that no server has yet, for instance because its address was mistyped: lists them, delivers them to the
 * server that is found, or forgets them.
 *
 * @returns what was found or done, as lines of text
 */
export async function handleWaiting(
  action: WaitingAction,
  folders: Folders,
  findServer: () => Promise<FoundServer>,
): Promise<string> {
  const folder = join(folders.data, 'unsent');
  const waiting = readUnsentRounds(folder).filter(isWaiting);
  if (waiting.length === 0) return 'No rounds are waiting for a server.';
  if (action === 'list') return toListText(waiting);
  if (action === 'discard') {
    for (const round of waiting) removeUnsent(round);
    return `${toCountText(waiting.length, 'round')} discarded: no server gets them. Your own record keeps them.`;
  }
  return deliver(folder, waiting.length, await findServer());
}

async function deliver(folder: string, waiting: number, server: FoundServer): Promise<string> {
  const client = createSessionClient(server.url, { key: server.key });
  try {
    if (server.isAway) throw new Error(`no answer from ${server.url.href}: nothing was delivered.`);
    const { delivered } = await handleUnsentRounds({ folder, client, server: server.name, isForAll: true });
    const left = waiting - delivered;
    const rest = left > 0 ? ` ${toCountText(left, 'round')} could not be.` : '';
    return `${toCountText(delivered, 'round')} delivered to ${toVisible(server.name)}.${rest}`;
  } finally {
    await client.close();
    await server.close();
  }
}

function toListText(waiting: readonly UnsentRound[]): string {
  const servers = [...new Set(waiting.map(({ head }) => head.server))];
  const roundsOf = (server: string) => waiting.filter(({ head }) => head.server === server);
  return [
    `${toCountText(waiting.length, 'round')} not delivered yet:`,
    ...servers.map((server) => `  ${toName(server)}: ${toSpan(roundsOf(server))}`),
    'Your own record has them already. They are delivered when you play with that server again.',
    'To deliver them elsewhere: typebadge play --waiting deliver --server URL',
    'To forget them: typebadge play --waiting discard',
  ].join('\n');
}

function toName(server: string): string {
  return server === offlineServer ? 'any server on this computer' : toVisible(server);
}

function toSpan(rounds: readonly UnsentRound[]): string {
  const days = rounds.map(({ head }) => new Date(head.created).toISOString().slice(0, 10));
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return `${toCountText(rounds.length, 'round')}, ${first === last ? first : `${first} to ${last}`}`;
}
