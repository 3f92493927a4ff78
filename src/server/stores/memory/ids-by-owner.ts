/** Ids, grouped by owner. */
export interface IdsByOwner {
  add(owner: string, id: string): void;
  remove(owner: string, id: string): void;
  /** The ids of an owner, in order of addition. */
  idsOf(owner: string): readonly string[];
  countOf(owner: string): number;
}

export function createIdsByOwner(): IdsByOwner {
  const idsByOwner = new Map<string, Set<string>>();
  return {
    add(owner, id) {
      const ids = idsByOwner.get(owner);
      if (ids === undefined) idsByOwner.set(owner, new Set([id]));
      else ids.add(id);
    },
    remove(owner, id) {
      const ids = idsByOwner.get(owner);
      ids?.delete(id);
      if (ids?.size === 0) idsByOwner.delete(owner);
    },
    idsOf: (owner) => [...(idsByOwner.get(owner) ?? [])],
    countOf: (owner) => idsByOwner.get(owner)?.size ?? 0,
  };
}
