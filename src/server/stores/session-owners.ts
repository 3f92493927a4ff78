import { clientsInBlock } from '../../kit/client-block.ts';
import { createOwnership } from './ownership.ts';
import type { PlayerId } from './player.ts';
import type { Session } from './session.ts';

/** Whose the sessions are, and how many each may have. */
export interface SessionOwners {
  add(session: Session): void;
  remove(session: Session): void;
  /** A player's sessions, in the order in which they were added. */
  idsOf(player: PlayerId): readonly string[];
  /** Whether the player, the client or the block of this session has as many as one may have. */
  areFull(session: Session): boolean;
}

/**
 * @param limit sessions at once of one player, and of one client; a block may have more
 * @param isLiving whether a session counts still; asked only where it makes a difference
 */
export function createSessionOwners(limit: number, isLiving: (id: string) => boolean): SessionOwners {
  const kinds = [
    { ownership: createOwnership(), most: limit, ownerOf: ({ player }: Session) => player },
    { ownership: createOwnership(), most: limit, ownerOf: ({ client }: Session) => client },
    {
      ownership: createOwnership(),
      most: limit * clientsInBlock,
      ownerOf: ({ block }: Session) => block ?? '',
    },
  ] as const;
  return {
    add(session) {
      for (const { ownership, ownerOf } of kinds) {
        const owner = ownerOf(session);
        if (owner !== '') ownership.add(owner, session.id);
      }
    },
    remove(session) {
      for (const { ownership, ownerOf } of kinds) ownership.remove(ownerOf(session), session.id);
    },
    idsOf: (player) => kinds[0].ownership.idsOf(player),
    areFull: (session) =>
      kinds.some(({ ownership, most, ownerOf }) => {
        const owner = ownerOf(session);
        return ownership.countOf(owner) >= most && ownership.idsOf(owner).filter(isLiving).length >= most;
      }),
  };
}
