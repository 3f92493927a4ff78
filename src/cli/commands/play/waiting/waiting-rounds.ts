import { join } from 'node:path';
import { toVisible } from '../../../../kit/visible-text.ts';
import { createSessionClient } from '../../../../tui/link/session/session-client.ts';
import type { FoundServer } from '../../../../tui/play-config.ts';
import type { Folders } from '../../../../tui/record/folders.ts';
import { readUnsentRounds, removeUnsent, type UnsentRound } from '../../../../tui/record/unsent-journal.ts';
import { toCountText } from '../../../../tui/text/figures/figures.ts';
import { handleUnsentRounds, isCutOff, isWaiting } from '../../../../tui/unsent-rounds.ts';
import { toShellWord } from '../../../output/shell-word.ts';
import type { WaitingAction } from './waiting-actions.ts';
import { noneFinished, noneWaiting, toServerName, toWaitingList } from './waiting-list.ts';

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
 * Finished rounds that no server has yet, for instance because its address was mistyped: lists them, and those that were cut
 * off, delivers them to the server that is found, or forgets them.
 *
 * @returns what was found or done, as lines of text
 */
export async function handleWaiting(
  action: WaitingAction,
  typist: WaitingTypist,
  findServer: () => Promise<FoundServer>,
): Promise<string> {
  const folder = join(typist.folders.data, 'unsent');
  const all = readUnsentRounds(folder);
  const waiting = all.filter(isWaiting);
  const cutOff = all.filter(isCutOff);
  if (action === 'list') return toWaitingList(waiting, cutOff, toPlayCommand(typist));
  if (waiting.length + cutOff.length === 0) return noneWaiting;
  if (action === 'discard') return discard(waiting, cutOff);
  if (waiting.length === 0) return noneFinished;
  return deliver(folder, waiting.length, await findServer());
}

/** What was cut off is in no record, and goes only where nothing else is meant. */
function discard(finished: readonly UnsentRound[], cutOff: readonly UnsentRound[]): string {
  for (const round of finished.length > 0 ? finished : cutOff) removeUnsent(round);
  const left = toCountText(cutOff.length, 'round');
  if (finished.length === 0) return `${left} cut off in the middle discarded.`;
  const done = `${toCountText(finished.length, 'round')} discarded: no server gets them. Your own record keeps them.`;
  return cutOff.length === 0
    ? done
    : `${done}\n${left} cut off in the middle kept; the same command again discards ${cutOff.length === 1 ? 'it' : 'them'}.`;
}

async function deliver(folder: string, waiting: number, server: FoundServer): Promise<string> {
  const client = createSessionClient(server.url, { key: server.key });
  try {
    if (server.isAway) {
      const { hostname, href } = server.url;
      const why = server.isUnknownName ? `no host has the name ${hostname}` : `no answer from ${href}`;
      throw new Error(`${why}: nothing was delivered.`);
    }
    const { delivered } = await handleUnsentRounds({ folder, client, server: server.name, isForAll: true });
    const left = waiting - delivered;
    const done = `${toCountText(delivered, 'round')} delivered to ${toServerName(server.name)}`;
    if (left > 0)
      throw new Error(`${done}, ${toCountText(left, 'round')} not: the server did not take it all.`);
    return `${done}.`;
  } finally {
    await client.close();
    await server.close();
  }
}

/** The command that means the same rounds. */
export function toPlayCommand({ profile, data }: NamedTypist): string {
  return [
    'typebadge play',
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
    ...(data === undefined ? [] : [`--data ${toShellWord(toVisible(data))}`]),
  ].join(' ');
}
