import { clientsInBlock } from '../../../kit/client-block.ts';
import type { PlayerId } from '../player.ts';
import type { Session } from '../session.ts';
import { createIdsByOwner } from './ids-by-owner.ts';

/** The owners of sessions, and the limits of each. */
export interface SessionOwners {
  add(session: Session): void;
  remove(session: Session): void;
  /** Ids of a player's sessions, in order of addition. */
  idsOf(player: PlayerId): readonly string[];
  /** Whether the player, the client or the block of this session has reached its limit. */
  areFull(session: Session): boolean;
}

/**
 * @param limit most sessions of one player, and of one client; a block may have more
 * @param isLiving whether a session still counts; called only if it makes a difference
 */
export function createSessionOwners(limit: number, isLiving: (id: string) => boolean): SessionOwners {
  const kinds = [
    { ids: createIdsByOwner(), most: limit, ownerOf: ({ player }: Session) => player },
    { ids: createIdsByOwner(), most: limit, ownerOf: ({ client }: Session) => client },
    {
      ids: createIdsByOwner(),
      most: limit * clientsInBlock,
      ownerOf: ({ block }: Session) => block ?? '',
    },
  ] as const;
  return {
    add(session) {
      for (const { ids, ownerOf } of kinds) {
        const owner = ownerOf(session);
        if (owner !== '') ids.add(owner, session.id);
      }
    },
    remove(session) {
      for (const { ids, ownerOf } of kinds) ids.remove(ownerOf(session), session.id);
    },
    idsOf: (player) => kinds[0].ids.idsOf(player),
    areFull: (session) =>
      kinds.some(({ ids, most, ownerOf }) => {
        const owner = ownerOf(session);
        return ids.countOf(owner) >= most && ids.idsOf(owner).filter(isLiving).length >= most;
      }),
  };
}
