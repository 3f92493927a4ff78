import { join } from 'node:path';
import { toVisible } from '../../../kit/visible-text.ts';
import { createSessionClient } from '../../../tui/link/session-client.ts';
import type { FoundServer } from '../../../tui/play-config.ts';
import type { Folders } from '../../../tui/record/folders.ts';
import { readUnsentRounds, removeUnsent, type UnsentRound } from '../../../tui/record/unsent-journal.ts';
import { toCountText } from '../../../tui/text/figures.ts';
import { handleUnsentRounds, isWaiting, offlineServer } from '../../../tui/unsent-rounds.ts';
import { toShellWord } from '../../output/shell-word.ts';
import type { WaitingAction } from './waiting-actions.ts';

/** Whose rounds are meant, as the command line names them. */
export interface NamedTypist {
  /** The profile whose rounds these are; undefined for the usual one. */
  readonly profile?: string | undefined;
  /** The data folder that was named; undefined for the usual one. */
  readonly data?: string | undefined;
}

export interface WaitingTypist extends NamedTypist {
  readonly folders: Folders;
}

/**
 * Finished rounds that no server has yet, for instance because its address was mistyped: lists them, delivers them to the
 * server that is found, or forgets them.
 *
 * @returns what was found or done, as lines of text
 */
export async function handleWaiting(
  action: WaitingAction,
  typist: WaitingTypist,
  findServer: () => Promise<FoundServer>,
): Promise<string> {
  const folder = join(typist.folders.data, 'unsent');
  const waiting = readUnsentRounds(folder).filter(isWaiting);
  if (waiting.length === 0) return 'No rounds are waiting for a server.';
  if (action === 'list') return toListText(waiting, toPlayCommand(typist));
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
    return `${toCountText(delivered, 'round')} delivered to ${toName(server.name)}.${rest}`;
  } finally {
    await client.close();
    await server.close();
  }
}

function toListText(waiting: readonly UnsentRound[], command: string): string {
  const servers = [...new Set(waiting.map(({ head }) => head.server))];
  const roundsOf = (server: string) => waiting.filter(({ head }) => head.server === server);
  const isBegun = ({ head }: UnsentRound) => head.upload === undefined;
  return [
    `${toCountText(waiting.length, 'round')} not delivered yet:`,
    ...servers.map((server) => `  ${toName(server)}: ${toSpan(roundsOf(server))}`),
    'Your own record has them already. They are delivered when you play with that server again.',
    ...(waiting.some(isBegun)
      ? ['A round that was started on a server can be delivered only there, and only within a day.']
      : []),
    ...(waiting.every(isBegun)
      ? []
      : [`To deliver them elsewhere: ${command} --waiting deliver --server URL`]),
    `To forget them: ${command} --waiting discard`,
  ].join('\n');
}

/** The command that means the same rounds. */
export function toPlayCommand({ profile, data }: NamedTypist): string {
  return [
    'typebadge play',
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
    ...(data === undefined ? [] : [`--data ${toShellWord(toVisible(data))}`]),
  ].join(' ');
}

function toName(server: string): string {
  if (server === offlineServer) return 'any server on this computer';
  const inside = /^inside (.+)$/s.exec(server)?.[1];
  return inside === undefined
    ? toVisible(server)
    : `the server inside play (its results are in ${toVisible(inside)})`;
}

function toSpan(rounds: readonly UnsentRound[]): string {
  const days = rounds.map(({ head }) => new Date(head.created).toISOString().slice(0, 10));
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return `${toCountText(rounds.length, 'round')}, ${first === last ? first : `${first} to ${last}`}`;
}
